// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.RestoreProof;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class JunitReportTest {

    private static Element suite(String xml) throws Exception {
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(JunitReportTest.class.getResource("junit.xsd"))
                .newValidator()
                .validate(new StreamSource(new StringReader(xml)));
        return (Element) DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getElementsByTagName("testsuite")
                .item(0);
    }

    /** The result of each case: the element within it, or passed. */
    private static Map<String, String> cases(Element suite) {
        NodeList cases = suite.getElementsByTagName("testcase");
        Map<String, String> results = new LinkedHashMap<>();
        IntStream.range(0, cases.getLength()).mapToObj(number -> (Element) cases.item(number)).forEach(one -> {
            Element result = (Element) one.getFirstChild();
            results.put(one.getAttribute("name"),
                    result == null ? "passed" : result.getTagName() + " " + result.getAttribute("message"));
        });
        return results;
    }

    private static String written(String profile, @Nullable String outcome, String text)
            throws IOException {
        return ReportExamples
                .junit(ReportExamples.report(ReportExamples.summary(2000, "latency"), profile, outcome, text));
    }

    @Test
    void a_capacity_that_was_found_passes_although_the_sla_was_broken_to_find_it() throws Exception {
        String xml = written("capacity", "CAPACITY_FOUND", "found");
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("report.xml"), xml);
        Element suite = suite(xml);

        assertThat(cases(suite)).containsExactly(Map.entry("latency", "passed"), Map.entry("fleet-errors", "passed"),
                Map.entry("traffic restored", "passed"), Map.entry("share within its limit", "passed"),
                Map.entry("harm within its budget", "passed"), Map.entry("gives an answer", "passed"));
        assertThat(suite.getAttribute("tests")).isEqualTo("6");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getElementsByTagName("system-out").item(0).getTextContent())
                .contains("sla, latency: PASSED, latency.p99", "that is how the limit is found");
    }

    @Test
    void a_test_that_failed_fails_by_its_broken_rule_with_value_and_threshold() throws Exception {
        Element suite = suite(written("load", "THRESHOLD_FAILED", "broken"));

        assertThat(cases(suite).get("latency")).startsWith("failure").contains("against 100 ms", "latency.p99");
        assertThat(cases(suite).get("gives an answer"))
                .isEqualTo("failure THRESHOLD_FAILED: broken; what came of broken");
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        assertThat(suite.getAttribute("errors")).isEqualTo("0");
    }

    /** Exit code 98: nothing is said against the service. */
    @Test
    void a_test_that_gives_no_answer_fails_nothing_by_a_broken_rule() throws Exception {
        Element suite = suite(written("load", "INCONCLUSIVE", "gave up"));

        assertThat(cases(suite).get("latency")).startsWith("skipped").contains("gives no answer", "broken in");
        assertThat(cases(suite).get("gives an answer")).isEqualTo("error INCONCLUSIVE: gave up; what came of gave up");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
    }

    /** Exit code 0: what the plan asks is so, although windows were broken. */
    @Test
    void a_test_that_passed_fails_nothing_by_a_rule_that_was_broken_in_some_windows() throws Exception {
        Element suite = suite(written("load", "PASSED", "held"));

        assertThat(cases(suite).get("latency")).isEqualTo("passed");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getElementsByTagName("system-out").item(0).getTextContent())
                .contains("which the test allows");
    }

    @Test
    void a_test_that_passes_gives_an_answer_and_one_that_fails_a_threshold_fails() throws Exception {
        assertThat(cases(suite(written("load", "PASSED", "held"))).get("gives an answer")).isEqualTo("passed");
        assertThat(cases(suite(written("endurance", "THRESHOLD_FAILED", "memory grows"))).get("gives an answer"))
                .isEqualTo("failure THRESHOLD_FAILED: memory grows; what came of memory grows");
    }

    /** A pipeline that reads the report fails as one that reads the exit code does, and never otherwise. */
    @Test
    void a_rule_that_nobody_could_judge_is_an_error_only_of_a_run_without_an_answer() throws Exception {
        Element answered = suite(ReportExamples
                .junit(ReportExamples.report(ReportExamples.unjudged("queue"), "load", "PASSED", "held")));
        Element open = suite(ReportExamples
                .junit(ReportExamples.report(ReportExamples.unjudged("queue"), "load", "INCONCLUSIVE", "gave up")));

        assertThat(cases(answered).get("queue"))
                .isEqualTo("skipped no window had an answer: nobody measures queue");
        assertThat(answered.getAttribute("errors")).isEqualTo("0");
        assertThat(cases(open).get("queue")).startsWith("error no window had an answer");
    }

    @Test
    void the_answer_stands_there_with_all_that_is_doubtful_about_it() throws Exception {
        assertThat(suite(written("capacity", "CAPACITY_FOUND", "found")).getElementsByTagName("system-out").item(0)
                .getTextContent())
                .contains("run, gives an answer: PASSED, CAPACITY_FOUND: found; what came of found");
    }

    @Test
    void traffic_that_is_not_proven_to_be_back_fails() throws Exception {
        WindowSummary summary = ReportExamples.summary(10, "latency");
        RunReport.Head head = ReportExamples.head("capacity", "CAPACITY_FOUND", "x", 10);

        List<ReportCheck> claims = ReportChecklist.of(head, summary, HarmView.of(new HarmDone(20, 10.0)),
                new RestoreView(RestoreProof.Traffic.UNKNOWN, RestoreProof.Proof.BY_EXPIRY, 7, "the lease ran out"),
                List.of());

        assertThat(claims).filteredOn(claim -> claim.verdict() == ReportCheck.Verdict.FAILED)
                .extracting(ReportCheck::name, ReportCheck::message)
                .containsExactlyInAnyOrder(
                        tuple("traffic restored", "the lease ran out (7 s)"),
                        tuple("harm within its budget", "20 requests against 10"));
    }

    @Test
    void a_section_may_judge_a_rule_in_its_own_way() throws Exception {
        Section section = new Section("spike", "Spike", List.of(), List.of(),
                List.of(new ReportCheck("sla", "latency", ReportCheck.Verdict.PASSED, "", "recovered in 3 s")));

        List<ReportCheck> claims = ReportChecklist.of(ReportExamples.head("spike", "CAPACITY_FOUND", "x", 10),
                ReportExamples.summary(2000, "latency"),
                HarmView.of(new HarmDone(0, 10.0)), null, List.of(section));

        assertThat(claims).filteredOn(claim -> claim.name().equals("latency")).containsExactly(
                section.claims().getFirst());
    }

    @Test
    void a_live_run_says_so_and_skips_what_is_open() throws Exception {
        Element suite = suite(written("capacity", null, "x"));

        assertThat(cases(suite).get("gives an answer")).startsWith("skipped");
        assertThat(cases(suite).get("traffic restored")).startsWith("skipped");
        assertThat(suite.getElementsByTagName("system-out").item(0).getTextContent()).contains("The run is live");
    }

    @Test
    void hostile_names_are_text() throws Exception {
        Element suite = suite(ReportExamples.junit(
                ReportExamples.report(ReportExamples.summary(2000, ReportExamples.HOSTILE), "load", "CAPACITY_FOUND",
                        ReportExamples.HOSTILE)));

        assertThat(suite.getAttribute("name")).contains("<script>alert(1)</script> ]]> & \"q\" 'a'", "\uD83D\uDE00");
        assertThat(suite.getElementsByTagName("script").getLength()).isZero();
    }
}
