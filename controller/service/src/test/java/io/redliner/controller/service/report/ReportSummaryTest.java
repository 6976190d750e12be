// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.SearchConclusion.Finding;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.service.report.RunReport.Head;
import io.redliner.controller.service.report.RunReport.Result;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportSummaryTest {

    private static final Certainty DOUBTFUL = new Certainty(Certainty.Level.DOUBTFUL, List.of("host"),
            "doubtful: host");

    private static final Certainty NO_PEER = new Certainty(Certainty.Level.CANNOT_BE_KNOWN, List.of("noise"),
            "how sure cannot be known: no peer");

    private static final Result RESULT = new Result(398, 391, 404, false, "latency", 0.104, 0.1, 396.0, 402.0);

    private static final RestoreView NATURAL = new RestoreView(RestoreProof.Traffic.NATURAL,
            RestoreProof.Proof.MEASURED, 0.3, "25 % was measured");

    private static final FleetNeed NEED = new FleetNeed(1000.0, 5L, 4, 0.2, "", Set.of());

    private final WindowSummary windows = ReportExamples.summary(200, "latency");

    private static Head head(@Nullable String outcome, @Nullable Integer exitCode, String stopCode, String headline,
            String service) {
        Head head = ReportExamples.head("capacity", outcome, service, 200);
        return new Head(head.runId(), service, head.sut(), head.version(), head.hardware(), head.plan(),
                head.planHash(), head.profile(), head.phase(), outcome == null, outcome, stopCode, "the reason",
                outcome == null ? null : headline, exitCode, head.submittedAt(), head.finishedAt(),
                head.durationSeconds(), head.naturalShare(), head.maxShare(), head.windows(), head.reportedAt());
    }

    private RunReport report(Head head, @Nullable Result result, HarmDone harm, @Nullable RestoreView restore,
            String resource) {
        return new RunReport(head, result, null, null, HarmView.of(harm), restore,
                List.of(new Finding(resource, 0.9, "the CPU was full", List.of())), List.of(), List.of(), List.of(),
                windows.rules(), List.of(), List.of(), null, List.of());
    }

    private ReportSummary found(Result result, Certainty certainty, HarmDone harm, int exitCode, RestoreView restore) {
        return found(result, certainty, harm, exitCode, restore, NEED);
    }

    private ReportSummary found(Result result, Certainty certainty, HarmDone harm, int exitCode, RestoreView restore,
            FleetNeed need) {
        return ReportSummary.of(report(head("CAPACITY_FOUND", exitCode, "CapacityFound",
                "Capacity of 10.0.0.1:8080 of shop: 398 requests/s (391 to 404), limited by latency", "shop"), result,
                harm, restore, "CPU"), certainty, need, windows);
    }

    @Test
    void a_sure_capacity_answers_all_six_questions() {
        ReportSummary summary = found(RESULT, Certainty.SURE, new HarmDone(12, 1800.0, 5.0), 0, NATURAL);

        assertThat(summary.answer())
                .isEqualTo("Capacity of 10.0.0.1:8080 of shop: 398 requests/s (391 to 404), limited by latency.");
        assertThat(summary.certainty()).startsWith("Sure: the capacity is between 391 and 404 requests/s");
        assertThat(summary.meaning()).contains("needs 5 instances", "It has 4: 1 too few.", "20 %", "391 requests/s");
        // 200 windows of a second with 1000 requests/s.
        assertThat(summary.users()).isEqualTo("12 requests broke the SLA because of the test, about 1 of 17000 that "
                + "the service got meanwhile. 5 requests would have broken it in any case. Traffic is natural again.");
        assertThat(summary.limit())
                .isEqualTo("The rule latency, with 104 ms against 100 ms. Bottleneck: CPU. The CPU was full.");
        assertThat(summary.next()).containsExactly("Add 1 instance, or expect less load.",
                "To raise the capacity of an instance, begin with: CPU.");
    }

    @Test
    void a_doubt_stands_before_the_interval_and_before_all_that_costs_money() {
        ReportSummary doubtful = found(RESULT, DOUBTFUL, new HarmDone(0, 1800.0, 0.0), 0, NATURAL);
        ReportSummary unknown = found(RESULT, NO_PEER, new HarmDone(0, 1800.0, 0.0), 0, NATURAL);

        assertThat(doubtful.certainty()).startsWith("Doubtful: host. By the numbers alone, ");
        assertThat(doubtful.next().getFirst()).startsWith("Run again before a decision that costs money");
        assertThat(unknown.certainty()).startsWith("How sure cannot be known: no peer. By the numbers alone, ");
        assertThat(unknown.next().getFirst()).contains("with a peer to compare with");
        assertThat(doubtful.users()).startsWith("No request broke the SLA because of the test. None would have");
    }

    @Test
    void a_lower_bound_is_never_called_a_limit() {
        ReportSummary summary = found(new Result(398, 391, 0, true, "", null, null, 396.0, null), Certainty.SURE,
                new HarmDone(0, 1800.0, null), 0, NATURAL,
                new FleetNeed(1000.0, 5L, 4, 0.2, "", Set.of(FleetNeed.Caveat.LOWER_BOUND)));

        assertThat(summary.certainty()).contains("the capacity is at least 391 requests/s (the lower end of the 95 % "
                + "interval; 398 requests/s held), and").doesNotContain("between");
        assertThat(summary.meaning()).contains("needs at most 5 instances");
        assertThat(summary.next()).noneMatch(step -> step.startsWith("Add "));
        assertThat(summary.limit()).startsWith("No rule did: the traffic, or the share of 60 %");
        assertThat(summary.next()).anyMatch(step -> step.startsWith("For the limit itself"));
        assertThat(summary.users()).contains("How many would have broken it in any case is not known.");
    }

    @Test
    void traffic_that_is_not_natural_comes_before_all_else() {
        ReportSummary moved = found(RESULT, Certainty.SURE, new HarmDone(12, 10.0, 5.0), 106,
                new RestoreView(RestoreProof.Traffic.NOT_NATURAL, RestoreProof.Proof.CONTRADICTED, 3,
                        "40 % arrives"));
        ReportSummary unproven = found(RESULT, Certainty.SURE, new HarmDone(12, 10.0, 5.0), 106,
                new RestoreView(RestoreProof.Traffic.UNKNOWN, RestoreProof.Proof.BY_EXPIRY, 3, "the lease ran out"));

        assertThat(moved.users()).contains("more than the 10 that were allowed", "Traffic is NOT natural: 40 %");
        assertThat(unproven.users()).contains("It is not known whether traffic is natural: the lease ran out.");
        assertThat(List.of(moved, unproven)).allSatisfy(summary -> assertThat(summary.next().getFirst())
                .startsWith("Now: see that the service's traffic is natural"));
        assertThat(found(RESULT, Certainty.SURE, new HarmDone(12, 10.0, 5.0), 106, NATURAL).next().getFirst())
                .startsWith("Before the next run: find out which step hurt more");
    }

    @Test
    void a_run_that_ended_before_its_baseline_claims_nothing() {
        Head head = head("ABORTED", 105, "AbortRequested", "The capacity test of 10.0.0.1:8080 of shop was aborted",
                "shop");
        ReportSummary summary = ReportSummary.of(
                new RunReport(head, null, null, null, HarmView.of(new HarmDone(0, null)), NATURAL, List.of(),
                        List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), null, List.of()),
                Certainty.of(null), FleetNeed.UNKNOWN, new WindowSummary(List.of(), List.of()));

        assertThat(summary).isEqualTo(new ReportSummary(
                "The capacity test of 10.0.0.1:8080 of shop was aborted: the reason.",
                "There is no number to be sure of.",
                "Nothing follows for the number of instances, as there is no capacity.",
                "No window was judged, so it is not known whether users were hurt. Traffic is natural again.",
                "The run ended for this reason: AbortRequested.",
                List.of("Run again when the reason for the stop is gone.")));
    }

    @Test
    void a_profile_that_did_not_reach_its_load_has_no_capacity_here_whatever_it_measured() {
        RunReport report = report(head("TRAFFIC_EXHAUSTED", 98, "TrafficExhausted",
                "The load test of 10.0.0.1:8080 of shop gives no answer", "shop"), RESULT,
                new HarmDone(0, 10.0, 0.0), NATURAL, "CPU");
        ReportSummary summary = ReportSummary.of(report, Certainty.SURE, NEED, windows);

        assertThat(summary.answer()).endsWith("gives no answer: the reason.");
        assertThat(summary.certainty()).isEqualTo("There is no number to be sure of.");
        assertThat(summary.meaning()).startsWith("Nothing follows");
        assertThat(summary.next()).containsExactly(
                "Mend the cause, and run again: Troubleshooting explains TrafficExhausted.");
        assertThat(Objects.requireNonNull(AnswerPicture.of(report, windows.buckets())).legend().values())
                .contains("estimate 398 requests/s, 391 to 404");
    }

    @Test
    void a_bottleneck_that_was_not_reached_is_none_to_begin_with() {
        ReportSummary summary = ReportSummary.of(report(head("CAPACITY_FOUND", 0, "CapacityFound",
                "Capacity of 10.0.0.1:8080 of shop: 398 requests/s", "shop"), RESULT, new HarmDone(0, 10.0, 0.0),
                NATURAL,
                "NONE_REACHED"), Certainty.SURE, NEED, windows);

        assertThat(summary.limit()).contains("Bottleneck: none was reached.");
        assertThat(summary.next()).noneMatch(step -> step.contains("begin with"));
    }

    @Test
    void yes_and_no_are_answers_without_a_number() {
        ReportSummary passed = ReportSummary.of(report(head("PASSED", 0, "SlaHeld",
                "The smoke test of 10.0.0.1:8080 of shop passed", "shop"), null, new HarmDone(0, 10.0, 0.0), NATURAL,
                "UNKNOWN"), Certainty.of(null), FleetNeed.UNKNOWN, windows);
        ReportSummary failed = ReportSummary.of(report(head("THRESHOLD_FAILED", 99, "SlaBroken",
                "The smoke test of 10.0.0.1:8080 of shop failed its threshold", "shop"), null,
                new HarmDone(0, 10.0, 0.0), NATURAL, "UNKNOWN"), Certainty.of(null), FleetNeed.UNKNOWN, windows);

        assertThat(passed.certainty()).startsWith("The answer is yes or no, from 200 judged windows");
        assertThat(passed.next()).containsExactly("Nothing: the answer is yes.");
        assertThat(failed.next().getFirst()).startsWith("Mend what broke the rule");
    }

    private ReportSummary ended(String outcome, int exitCode, StopCode code, RestoreView restore) {
        return ReportSummary.of(report(head(outcome, exitCode, code.wireName(), "What came of 10.0.0.1:8080 of shop",
                "shop"), null, new HarmDone(12, null), restore, "UNKNOWN"), Certainty.of(null), FleetNeed.UNKNOWN,
                windows);
    }

    @Test
    void what_is_to_be_done_follows_from_the_reason_for_the_end() {
        assertThat(ended("THRESHOLD_FAILED", 99, StopCode.MOVED, NATURAL).next())
                .containsExactly("Run a full capacity test.");
        assertThat(ended("INCONCLUSIVE", 98, StopCode.MOVE_UNKNOWN, NATURAL).next())
                .containsExactly("Run a full capacity test.");
        assertThat(ended("PASSED", 0, StopCode.AS_BEFORE, NATURAL).next())
                .containsExactly("Nothing: the answer is yes.");
        assertThat(ended("ABORTED", 99, StopCode.GUARD_BREACHED, NATURAL)).satisfies(guarded -> {
            assertThat(guarded.certainty()).isEqualTo("There is no number to be sure of.");
            assertThat(guarded.next()).containsExactly(
                    "Mend what broke the guard, or change the guard, and run again.");
        });
        assertThat(ended("PASSED", 106, StopCode.SLA_HELD, NATURAL).next()).containsExactly("Before the next run: "
                + "find out which step hurt requests, and why it is not known how many were allowed.");
    }

    @Test
    void acknowledged_traffic_is_not_said_to_be_measured() {
        assertThat(ended("PASSED", 0, StopCode.SLA_HELD, new RestoreView(RestoreProof.Traffic.NATURAL,
                RestoreProof.Proof.ACKNOWLEDGED, 0.3, "all acknowledged")).users())
                .endsWith("Every proxy acknowledged natural traffic; it was not measured.");
        assertThat(ended("FAILED", 98, StopCode.PREFLIGHT, new RestoreView(RestoreProof.Traffic.NATURAL,
                RestoreProof.Proof.NOT_NEEDED, 0, "none")).users()).endsWith("No traffic was moved.");
    }

    @Test
    void an_old_peak_is_no_reason_to_do_nothing() {
        assertThat(ReportSummary.of(new RunReport(head("CAPACITY_FOUND", 0, "CapacityFound", "Capacity", "shop"),
                RESULT, null, null, HarmView.of(new HarmDone(0, 10.0, 0.0)), NATURAL, List.of(), List.of(), List.of(),
                List.of(), List.of(), List.of(), List.of(), null, List.of()), Certainty.SURE,
                new FleetNeed(1000.0, 5L, 9, 0.2, "", Set.of(FleetNeed.Caveat.STALE_PEAK)), windows).next())
                .containsExactly(
                        "Find out whether instances are missing, from new measurements of each hardware class.");
    }

    @Test
    void a_live_run_has_no_answer_yet() {
        ReportSummary summary = ReportSummary.of(report(head(null, null, "", "", "shop"), null,
                new HarmDone(3, 10.0, 0.0), null, "CPU"), Certainty.of(null), FleetNeed.UNKNOWN, windows);

        assertThat(summary.answer()).isEqualTo("There is no answer yet: the run is in phase Ramping.");
        assertThat(summary.users()).endsWith("Traffic is not restored yet.");
        assertThat(summary.next()).containsExactly("Wait for the end of the run, or look at its page.");
    }

    @Test
    void a_name_of_3000_letters_leaves_room_for_the_number() {
        String name = "x".repeat(3000);
        ReportSummary summary = ReportSummary.of(report(head("CAPACITY_FOUND", 0, "CapacityFound",
                "Capacity of 10.0.0.1:8080 of " + name + ": 398 requests/s (391 to 404)", name), RESULT,
                new HarmDone(0, 10.0, 0.0), NATURAL, "CPU"), Certainty.SURE, NEED, windows);

        assertThat(summary.answer()).hasSizeLessThan(200).endsWith("…: 398 requests/s (391 to 404).");
        assertThat(summary.toString()).hasSizeLessThan(2500);
    }
}
