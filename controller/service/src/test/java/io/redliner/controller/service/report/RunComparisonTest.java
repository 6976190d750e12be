// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.capacity.CapacityChange.Significance;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.SearchConclusion.Finding;
import io.redliner.controller.service.report.ComparedRun.Answer;
import io.redliner.controller.service.report.ComparedRun.Terms;
import io.redliner.controller.service.report.RunComparison.Difference;
import io.redliner.controller.service.report.RunComparison.Difference.Verdict;
import io.redliner.controller.service.report.RunReport.Result;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunComparisonTest {

    private static final Terms TERMS = new Terms("capacity",
            List.of(new Section.Fact("latency", "latency.p99 <= duration('100ms')")),
            "{\"mode\":\"split\"}", "1s");

    private static Result result(double capacity, double half) {
        return new Result(capacity, capacity - half, capacity + half, false, "latency", 0.104, 0.1, capacity - 5,
                capacity + 5);
    }

    private static ComparedRun run(String id, @Nullable Result result) {
        return run(id, "shop", "10.0.0.1:8080", "v1", "small", TERMS, result, Certainty.SURE);
    }

    private static ComparedRun run(String id, String service, String sut, @Nullable String version,
            @Nullable String hardware, Terms terms, @Nullable Result result, Certainty certainty) {
        return new ComparedRun(id, service, sut, version, hardware, Instant.parse("2026-01-01T00:00:00Z"), terms,
                new Answer(false, result == null ? "ABORTED" : "CAPACITY_FOUND", result == null ? 105 : 0,
                        "what came of it", result,
                        result == null ? null : certainty, new Finding("CPU", 0.9, "full", List.of()),
                        HarmView.of(result == null ? new HarmDone(0, null) : new HarmDone(12, 100.0, 5.0))));
    }

    private static Verdict verdict(RunComparison comparison, String name) {
        return comparison.differences().stream().filter(one -> one.name().equals(name)).findFirst()
                .map(Difference::verdict).orElseThrow();
    }

    private static String html(RunComparison comparison) {
        StringWriter out = new StringWriter();
        HtmlReport.write(comparison, out);
        return out.toString();
    }

    @Test
    void a_change_beyond_both_intervals_is_one() {
        RunComparison fall = RunComparison.of(run("new", result(395, 5)), run("old", result(500, 5)));
        RunComparison rise = RunComparison.of(run("new", result(500, 5)), run("old", result(395, 5)));

        assertThat(fall.comparable()).isTrue();
        assertThat(fall.summary()).startsWith("The capacity is lower: 395 requests/s, 390 to 400 against 500 "
                + "requests/s, 495 to 505. The change is -21 % (95 %: -22.4 to -19.6 %): more than both intervals");
        assertThat(rise.summary()).startsWith("The capacity is higher: ").contains("+26.6 %");
        assertThat(fall.summary() + rise.summary()).doesNotContain("No change");
    }

    @Test
    void a_change_within_the_intervals_is_none() {
        RunComparison comparison = RunComparison.of(run("new", result(395, 20)), run("old", result(400, 20)));

        assertThat(Objects.requireNonNull(comparison.change()).significance())
                .isEqualTo(Significance.NOT_SIGNIFICANT);
        assertThat(comparison.summary()).startsWith("No change of the capacity is shown: ").endsWith("explain it.");
    }

    @Test
    void bounds_are_only_compared_where_they_show_something() {
        Result bound = new Result(400, 400, 0, true, "", null, null, 400.0, null);

        assertThat(RunComparison.of(run("new", bound), run("old", result(395, 20))).summary())
                .startsWith("Whether the capacity changed is not known: at least 400 requests/s against 395")
                .endsWith("At least one of them is only a bound.");
        assertThat(RunComparison.of(run("new", bound), run("old", result(300, 20))).summary())
                .startsWith("The capacity is higher: at least 400 requests/s against 300")
                .contains("How much cannot be said: the bound of the one is beyond the interval of the other.");
    }

    @Test
    void a_bound_is_the_lower_end_of_the_interval_beside_the_load_that_held() {
        Result bound = new Result(398, 391, 0, true, "", null, null, 398.0, null);

        assertThat(RunComparison.of(run("new", bound), run("old", result(300, 20))).summary()).contains(
                "at least 391 requests/s (the lower end of the 95 % interval; 398 requests/s held) against 300");
    }

    @Test
    void a_doubt_about_either_run_stands_beside_the_change() {
        Certainty doubtful = new Certainty(Certainty.Level.DOUBTFUL, List.of("host"), "doubtful: host");

        RunComparison comparison = RunComparison.of(run("new", result(395, 5)),
                run("old", "shop", "10.0.0.1:8080", "v1", "small", TERMS, result(500, 5), doubtful));

        assertThat(comparison.summary()).endsWith("Of run old: doubtful: host.");
        assertThat(verdict(comparison, "How sure")).isEqualTo(Verdict.CHANGED);
    }

    @Test
    void a_run_that_was_not_safe_is_named() {
        ComparedRun safe = run("new", result(395, 5));
        Answer answer = safe.answer();
        ComparedRun unsafe = new ComparedRun("new", safe.service(), safe.sut(), safe.version(), safe.hardware(),
                safe.submittedAt(), safe.terms(), new Answer(false, answer.outcome(), 106, answer.headline(),
                        answer.result(), answer.certainty(), answer.bottleneck(), answer.harm()));

        assertThat(RunComparison.of(unsafe, run("old", result(300, 5))).summary())
                .endsWith("Run new harmed more requests than were allowed, or natural traffic was not proven.");
    }

    @Test
    void runs_that_cannot_be_compared_have_no_change_and_a_reason() {
        ComparedRun run = run("new", result(395, 5));
        Map<String, ComparedRun> others = Map.of("They tested different services: shop here, cart there.",
                run("old", "cart", "10.0.0.1:8080", "v1", "small", TERMS, result(500, 5), Certainty.SURE),
                "Their SLAs differ: errors is no rule here, error_rate <= 0.01 there; latency is latency.p99 <= "
                        + "duration('100ms') here, latency.p99 <= duration('200ms') there.",
                run("old", "shop", "10.0.0.1:8080", "v1", "small",
                        new Terms("capacity", List.of(new Section.Fact("latency", "latency.p99 <= duration('200ms')"),
                                new Section.Fact("errors", "error_rate <= 0.01")), TERMS.redirect(), "1s"),
                        result(500, 5), Certainty.SURE),
                "They moved other traffic: {\"mode\":\"split\"} here, {\"mode\":\"hash\"} there.",
                run("old", "shop", "10.0.0.1:8080", "v1", "small",
                        new Terms("capacity", TERMS.sla(), "{\"mode\":\"hash\"}", "1s"), result(500, 5),
                        Certainty.SURE),
                "They were judged in windows of another length: 1s here, 100ms there.",
                run("old", "shop", "10.0.0.1:8080", "v1", "small",
                        new Terms("capacity", TERMS.sla(), TERMS.redirect(), "100ms"), result(500, 5), Certainty.SURE),
                "They ran on different hardware: small here, large there.",
                run("old", "shop", "10.0.0.1:8080", "v1", "large", TERMS, result(500, 5), Certainty.SURE),
                "The SLA is not known of both.",
                run("old", "shop", "10.0.0.1:8080", "v1", "small",
                        new Terms("capacity", List.of(), TERMS.redirect(), "1s"), result(500, 5), Certainty.SURE),
                "They tested different instances, 10.0.0.1:8080 here, 10.0.0.2:8080 there, and the hardware is not "
                        + "known of both.",
                run("old", "shop", "10.0.0.2:8080", "v1", null, TERMS, result(500, 5), Certainty.SURE));

        others.forEach((obstacle, other) -> {
            RunComparison comparison = RunComparison.of(run, other);
            assertThat(comparison.obstacles()).containsExactly(obstacle);
            assertThat(comparison.comparable()).isFalse();
            assertThat(comparison.change()).isNull();
            assertThat(comparison.summary()).isEqualTo("The runs cannot be compared. " + obstacle)
                    .doesNotContain("higher", "lower", "%");
            assertThat(html(comparison)).doesNotContain("is higher", "is lower", "The change is");
        });
    }

    @Test
    void an_instance_of_unknown_hardware_is_compared_with_itself() {
        ComparedRun unknown = run("old", "shop", "10.0.0.1:8080", null, null, TERMS, result(500, 5), Certainty.SURE);

        RunComparison comparison = RunComparison.of(run("new", result(395, 5)), unknown);

        assertThat(comparison.comparable()).isTrue();
        assertThat(verdict(comparison, "Hardware")).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(comparison, "Version")).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(comparison, "Limited by")).isEqualTo(Verdict.SAME);
        assertThat(RunComparison.of(unknown, unknown).differences()).filteredOn(one -> one.run().equals("unknown"))
                .isNotEmpty().allMatch(one -> one.verdict() == Verdict.UNKNOWN);
    }

    @Test
    void a_run_is_not_compared_with_itself() {
        ComparedRun run = run("new", result(395, 5));

        assertThat(RunComparison.of(run, run).summary())
                .isEqualTo("The runs cannot be compared. Both are the same run: name another one.");
    }

    @Test
    void a_run_without_a_capacity_is_said_to_have_none() {
        RunComparison comparison = RunComparison.of(run("new", null), run("old", result(500, 5)));

        assertThat(comparison.change()).isNull();
        assertThat(comparison.summary())
                .isEqualTo("Whether the capacity changed is not known: run new has none.");
        assertThat(verdict(comparison, "Harm by the test")).as("no window was judged").isEqualTo(Verdict.UNKNOWN);
        assertThat(RunComparison.of(run("new", null), run("old", null)).summary())
                .endsWith("run new has none, and run old has none.");
        assertThat(html(RunComparison.of(run("new", null), run("old", null)))).doesNotContain("<svg");
    }

    @Test
    void hostile_names_are_text_and_leave_room() {
        String name = "\u202E<b>" + "x".repeat(3000);
        Terms terms = new Terms("capacity", List.of(new Section.Fact(name, name)), name, "1s");
        RunComparison comparison = RunComparison.of(
                run("new", name, name, name, name, terms, result(395, 5), Certainty.SURE),
                run("old", "shop", "b:1", "v1", "small", TERMS, result(500, 5), Certainty.SURE));

        assertThat(comparison.summary()).hasSizeLessThan(2500);
        assertThat(html(comparison)).doesNotContain("<b>", "\u202E").contains("&lt;b&gt;x");
    }

    @Test
    void the_page_needs_nothing_from_anywhere_and_shows_both_over_one_scale() throws IOException {
        String html = html(RunComparison.of(run("new", result(395, 5)), run("old", result(500, 5))));
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("comparison.html"), html);

        assertThat(html).startsWith("<!DOCTYPE html>").contains("<svg", "above this run: 395 requests/s, 390 to 400",
                "below the other: 500 requests/s, 495 to 505", "the same")
                .doesNotContain("http://", "https://", "<script", "<link", "url(", " style=");
    }
}
