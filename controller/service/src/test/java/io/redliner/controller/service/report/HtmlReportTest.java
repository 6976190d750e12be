// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlReportTest {

    /** The page is written so that an XML parser can read it too. */
    private static Document parse(String html) throws Exception {
        assertThat(html).startsWith("<!DOCTYPE html>");
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(html)));
    }

    private static String page(String outcome, String text) throws IOException {
        WindowSummary summary = ReportExamples.summary(2000, text.isEmpty() ? "latency" : text);
        return ReportExamples
                .html(ReportExamples.report(summary, "capacity", outcome, text.isEmpty() ? "latency" : text), summary);
    }

    @Test
    void needs_nothing_from_anywhere_and_runs_nothing() throws Exception {
        String html = page("CAPACITY_FOUND", "");
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("report.html"), html);
        Document page = parse(html);

        for (String element : List.of("script", "link", "img", "iframe", "object", "a", "image", "use")) {
            assertThat(page.getElementsByTagName(element).getLength()).as(element).isZero();
        }
        assertThat(html).doesNotContain("http://", "https://", "@import", "url(", " style=", "onload");
        Matcher digest = Pattern.compile("style-src 'sha256-[A-Za-z0-9+/=]+'")
                .matcher(HtmlReport.contentSecurityPolicy());
        assertThat(digest.find()).isTrue();
    }

    @Test
    void each_chart_has_a_title_and_a_description_and_its_data_as_a_table() throws Exception {
        Document page = parse(page("CAPACITY_FOUND", ""));
        NodeList charts = page.getElementsByTagName("svg");

        assertThat(charts.getLength()).isEqualTo(6);
        for (int number = 0; number < charts.getLength(); number++) {
            Element chart = (Element) charts.item(number);
            String[] ids = chart.getAttribute("aria-labelledby").split(" ", -1);
            Element title = (Element) chart.getElementsByTagName("title").item(0);
            Element description = (Element) chart.getElementsByTagName("desc").item(0);
            assertThat(List.of(ids)).containsExactly(title.getAttribute("id"), description.getAttribute("id"));
            assertThat(description.getTextContent()).isNotBlank();
            assertThat(chart.getElementsByTagName("line").getLength()).isPositive();
        }
        assertThat(IntStream.range(0, 2).mapToObj(page.getElementsByTagName("details")::item)
                .map(details -> ((Element) details).getElementsByTagName("caption").item(0).getTextContent()))
                .satisfiesExactly(first -> assertThat(first).isEqualTo("Requests beyond the limit, by load"),
                        second -> assertThat(second).startsWith("Data of the charts"));
        assertThat(page.getElementsByTagName("th").item(0).getAttributes().getNamedItem("scope").getNodeValue())
                .isEqualTo("col");
        assertThat(page.getDocumentElement().getAttribute("lang")).isEqualTo("en");
    }

    @Test
    void says_the_capacity_its_interval_what_limited_it_and_what_was_known_before() throws Exception {
        String text = parse(page("CAPACITY_FOUND", "")).getDocumentElement().getTextContent();

        assertThat(text).contains("398 requests/s (391 to 404)", "latency: 104 ms against 100 ms",
                "420 requests/s, change -5.24 %", "a significant fall", "396 requests/s", "CPU", "abc",
                "12 requests, 0.667 % of the budget", "all 2 proxies acknowledged",
                "Requests in flight always equal their rate times their mean latency");
    }

    @Test
    void has_the_highlights_with_the_times_of_its_charts() throws Exception {
        Element highlights = (Element) parse(page("CAPACITY_FOUND", "")).getElementsByTagName("ol").item(1);

        assertThat(highlights.getTextContent().strip()).matches("0:30\\s+\\S+ broke at 402 requests/s\\."
                + " Slowest: 4bf92f3577b34da6a3ce929d0e0e4736 \\(912 ms\\)\\.");
        assertThat(((Element) highlights.getElementsByTagName("time").item(0)).getAttribute("title"))
                .isEqualTo("2026-01-01 00:00:30 UTC");
    }

    @Test
    void shows_how_much_breaks_at_which_load_also_where_no_curve_was_recorded() throws Exception {
        String text = parse(page("CAPACITY_FOUND", "")).getDocumentElement().getTextContent();

        assertThat(text).contains("How much breaks at which load",
                "the part of the requests that took longer than 100 ms",
                "show 70 % of it. Where it reaches the 1 % that the rule allows is the capacity.",
                "at least 6.67 %");
        WindowSummary summary = ReportExamples.summary(100, "latency");
        String without = ReportExamples.html(ReportExamples.report(summary, "smoke", "PASSED", "latency"), summary);
        assertThat(parse(without).getDocumentElement().getTextContent()).contains("How much breaks at which load",
                "Each point is a step: which load arrived").doesNotContain("the rule allows is the capacity");
    }

    @Test
    void a_lower_bound_is_one_figure_in_all_reports() throws IOException {
        WindowSummary summary = ReportExamples.summary(200, "latency");
        RunReport report = ReportExamples.report(summary, "capacity", "TRAFFIC_EXHAUSTED", "latency");

        assertThat(ReportExamples.html(report, summary)).contains("<strong>at least 391 requests/s</strong>")
                .doesNotContain("at least 398");
        assertThat(ReportExamples.junit(report)).contains("\"capacity.requests_per_second\" value=\"391.0\"");
    }

    @Test
    void a_capacity_that_is_less_than_sure_has_no_good_badge() throws IOException {
        WindowSummary summary = ReportExamples.summary(100, "latency");
        RunReport report = ReportExamples.report(summary, "capacity", "CAPACITY_FOUND", "latency");
        StringWriter sure = new StringWriter();
        StringWriter unknown = new StringWriter();

        HtmlReport.write(report, Certainty.SURE, FleetNeed.UNKNOWN, summary, sure);
        HtmlReport.write(report, Certainty.of(null), FleetNeed.UNKNOWN, summary, unknown);

        assertThat(sure.toString()).contains("class=\"badge good\"");
        assertThat(unknown.toString()).contains("class=\"badge warn\"").doesNotContain("class=\"badge good\"");
    }

    @Test
    void an_estimate_is_not_shown_as_a_result_and_a_live_run_is_called_live() throws Exception {
        assertThat(parse(page("INCONCLUSIVE", "")).getDocumentElement().getTextContent())
                .contains("The run has no result. This is what the search believed");
        WindowSummary none = new WindowSummary(List.of(), List.of());
        String live = ReportExamples.html(ReportExamples.report(none, "capacity", null, "x"), none);
        assertThat(parse(live).getDocumentElement().getTextContent()).contains("This run is live", "Live: Ramping",
                "No window was judged.");
    }

    /** The text of the first page. */
    private static String first(String html) throws Exception {
        return ((Element) parse(html).getElementsByTagName("section").item(0)).getTextContent();
    }

    @Test
    void the_first_page_answers_a_managers_questions_beside_the_picture_of_the_answer() throws Exception {
        String html = page("CAPACITY_FOUND", "");
        Element section = (Element) parse(html).getElementsByTagName("section").item(0);

        assertThat(section.getAttribute("class")).isEqualTo("summary");
        assertThat(section.getTextContent()).contains("How sure is that?", "between 391 and 404 requests/s",
                "What does it mean for the service?", "needs 5 instances like this one", "It has 4: 1 too few.",
                "Was anybody hurt?", "12 requests broke the SLA because of the test", "What limits it?", "latency",
                "104 ms against 100 ms", "What is to be done?", "Add 1 instance",
                "capacity 398 requests/s, 391 to 404", "held up to 396 requests/s", "broke from 402 requests/s",
                "natural 250 requests/s", "at most 600 requests/s");
        assertThat(section.getElementsByTagName("svg").getLength()).isEqualTo(1);
        assertThat(HtmlReport.contentSecurityPolicy()).contains("default-src 'none'");
    }

    @Test
    void the_first_page_of_a_run_without_an_answer_names_no_capacity() throws Exception {
        assertThat(first(page("INCONCLUSIVE", ""))).contains("There is no number to be sure of.",
                "Nothing follows for the number of instances", "estimate 398 requests/s, 391 to 404")
                .doesNotContain("the capacity is", "needs 5 instances");
    }

    @Test
    void names_of_3000_letters_and_turned_text_leave_the_first_page_one() throws Exception {
        String name = "\u202E" + "x".repeat(3000) + "\u2066";
        String html = page("CAPACITY_FOUND", name);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("report-of-long-names.html"), html);

        assertThat(html).doesNotContain("\u202E", "\u2066").contains("\uFFFDxxx");
        assertThat(first(html)).hasSizeLessThan(4000).contains("398 requests/s");
        assertThat(parse(html).getElementsByTagName("title").item(0).getTextContent()).hasSizeLessThan(200);
        assertThat(parse(html).getDocumentElement().getTextContent()).as("once in full").contains("x".repeat(3000));
    }

    @Test
    void a_run_that_was_aborted_before_its_baseline_has_a_page_without_figures() throws Exception {
        WindowSummary none = new WindowSummary(List.of(), List.of());
        RunReport report = ReportExamples.report(none, "capacity", "ABORTED", "latency");
        RunReport aborted = new RunReport(report.head(), null, null, null, HarmView.of(new HarmDone(0, null)),
                report.restore(), List.of(), List.of(), report.conditions(), List.of(), List.of(), List.of(),
                List.of(), null, List.of());
        String html = ReportExamples.html(aborted, none);

        assertThat(first(html)).contains("No window was judged, so it is not known whether users were hurt.",
                "There is no number to be sure of.", "Run again when the reason")
                .doesNotContain("requests/s");
        assertThat(parse(html).getElementsByTagName("svg").getLength()).isZero();
    }

    @Test
    void hostile_names_are_text() throws Exception {
        String html = page("CAPACITY_FOUND", ReportExamples.HOSTILE);
        Document page = parse(html);

        assertThat(page.getElementsByTagName("script").getLength()).isZero();
        assertThat(html).doesNotContain("<script").doesNotContain("\u0000").doesNotContain("\u001b");
        assertThat(page.getElementsByTagName("h1").item(0).getTextContent())
                .contains("<script>alert(1)</script> ]]> & \"q\" 'a'", "\uD83D\uDE00");
    }

    @Test
    void a_limit_stands_beside_what_its_rule_measured_and_not_beside_another_percentile() throws Exception {
        WindowSummary summary = ReportExamples.summary(IntStream.range(0, 200)
                .mapToObj(number -> ofP90(ReportExamples.window(number, "latency"))).toList());

        String html = ReportExamples.html(ReportExamples.report(summary, "capacity", "CAPACITY_FOUND", "latency"),
                summary);

        assertThat(html).contains("what the rule measured (at most)", "what the rule measured, in ms",
                "how slow it was by the rule");
        String own = page("CAPACITY_FOUND", "");
        assertThat(own).doesNotContain("what the rule measured").contains("p99 in ms");
    }

    /** The same window with a rule on the p90, which is half of the p99. */
    private static JudgedWindow ofP90(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        RuleResult rule = verdict.sla().getFirst();
        RuleResult p90 = new RuleResult(rule.name(), "latency.p90 <= duration('100ms')", rule.judgement(),
                Objects.requireNonNull(rule.value()) / 2, rule.threshold(), 0.5, rule.unit(), false, "");
        return new JudgedWindow(window.phase(), window.asked(),
                new WindowVerdict(verdict.runId(), verdict.epoch(), verdict.sequence(), verdict.windowStart(),
                        verdict.windowLength(), verdict.judgement(), List.of(p90), verdict.guards(), verdict.advice(),
                        verdict.sut(), verdict.peers(), verdict.serviceRequestsPerSecond(), verdict.harmRequests(),
                        verdict.estimate()));
    }

    @Test
    void a_run_without_an_answer_has_no_latency_rather_than_none_at_all() throws Exception {
        WindowSummary summary = ReportExamples.summary(IntStream.range(0, 20)
                .mapToObj(number -> silent(ReportExamples.window(number, "latency"))).toList());

        String html = ReportExamples.html(ReportExamples.report(summary, "load", "INCONCLUSIVE", "latency"), summary);

        assertThat(html).contains("No request was answered, so no latency is known").doesNotContain("went up to 0 ms");
    }

    private static JudgedWindow silent(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        return new JudgedWindow(window.phase(), window.asked(),
                new WindowVerdict(verdict.runId(), verdict.epoch(), verdict.sequence(), verdict.windowStart(),
                        verdict.windowLength(), Judgement.INCONCLUSIVE, List.of(), List.of(), verdict.advice(),
                        TrafficSample.NONE, TrafficSample.NONE, 0, 0, null));
    }
}
