// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunHighlightsTest {

    private static final Instant START = Instant.parse("2026-01-01T07:40:00Z");

    private static final RunFacts FACTS = new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
            RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, START.minusSeconds(5), Redirect.SPLIT,
            StartConditions.NONE, null, null);

    private static final RuleResult LATENCY = new RuleResult("latency", "latency.p99 <= duration('400ms')",
            Judgement.BREACHED, 0.697, 0.4, 1.74, "seconds", false, "");

    private static final List<TracedRequest> SLOWEST = List.of(
            new TracedRequest("4bf92f3577b34da6a3ce929d0e0e4736", 0.912, null));

    private final List<RunHighlights.Window> windows = new ArrayList<>();

    /** A window of one second, at once after the one before. */
    private RunHighlightsTest window(RunPhase phase, Judgement judgement, int sharePercent, double load) {
        windows.add(new RunHighlights.Window(START.plusSeconds(windows.size()), phase.wireName(), judgement,
                new Share(sharePercent * 10_000), load, judgement == Judgement.BREACHED ? LATENCY : null,
                judgement == Judgement.BREACHED ? SLOWEST : List.of()));
        return this;
    }

    private RunHighlightsTest holding(RunPhase phase, int times, int sharePercent, double load) {
        for (int time = 0; time < times; time++) {
            window(phase, Judgement.HOLDS, sharePercent, load);
        }
        return this;
    }

    private static RunState.Finished finished(RunOutcome outcome, StopCode code, String detail,
            @Nullable CapacityEstimate estimate, RestoreProof.Proof proof) {
        return new RunState.Finished(FACTS, new RunEnd(outcome, new StopReason(code, detail), estimate, null),
                new RestoreProof(proof, Duration.ofMillis(2_040), "25 % of the traffic arrives"),
                new HarmDone(0, null), Milestones.NONE, null, START.plusSeconds(300));
    }

    private static RunState ramping() {
        return new RunState.Ramping(FACTS, RunProgress.begin(FACTS, Redirectors.alive(List.of("r"), START), START));
    }

    private List<String> texts(RunState state) {
        return RunHighlights.of(state, windows, START.plusSeconds(298)).stream()
                .map(sentence -> Duration.between(START, sentence.at()).toSeconds() + " " + sentence.text())
                .toList();
    }

    private void capacityRun() {
        holding(RunPhase.BASELINE, 20, 25, 48).holding(RunPhase.RAMPING, 10, 25, 60)
                .window(RunPhase.RAMPING, Judgement.BREACHED, 50, 71)
                .window(RunPhase.RAMPING, Judgement.BREACHED, 25, 70)
                .window(RunPhase.RAMPING, Judgement.INCONCLUSIVE, 25, 50)
                .window(RunPhase.RAMPING, Judgement.BREACHED, 25, 50).holding(RunPhase.RAMPING, 10, 30, 60)
                .window(RunPhase.RAMPING, Judgement.BREACHED, 30, 61).holding(RunPhase.CONFIRMING, 10, 40, 66)
                .window(RunPhase.CONFIRMING, Judgement.BREACHED, 40, 69.2)
                .window(RunPhase.CONFIRMING, Judgement.BREACHED, 30, 60).holding(RunPhase.CONFIRMING, 10, 30, 60);
    }

    @Test
    void has_a_search_from_its_beginning_to_natural_traffic_in_eight_sentences() {
        capacityRun();

        assertThat(texts(finished(RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, "the interval is narrow enough",
                new CapacityEstimate(68, 66, 70.5, "latency", 0.4, 0.4, 66.0, 71.0), RestoreProof.Proof.MEASURED)))
                .containsExactly(
                        "0 The test of 10.0.0.1:80 began at its natural share of 25 %, with 48 requests/s.",
                        "20 The baseline took 20 s, then the load began to rise; the largest share was 50 %.",
                        "30 latency broke at 71 requests/s (697 ms against 400 ms); the share was halved to 25 %, and the"
                                + " SLA held again 4 s later.",
                        "45 A limit was found, and confirming it began.",
                        "55 The SLA broke once more, at 69.2 requests/s, and the share was lowered; it held again 2 s"
                                + " later.",
                        "298 The run ended: the interval is narrow enough.",
                        "300 Traffic was natural again after 2.04 s: 25 % of the traffic arrives.",
                        "300 Capacity of 10.0.0.1:80 of shop: 68 requests/s (66 to 70.5), limited by latency, how sure"
                                + " cannot be known: no check of the measurement is known.");
    }

    @Test
    void the_moments_at_which_the_sla_broke_have_their_slowest_requests() {
        capacityRun();

        assertThat(RunHighlights.of(ramping(), windows, null)).allSatisfy(sentence -> assertThat(sentence.slowest())
                .as(sentence.text()).isEqualTo(sentence.text().contains("broke") ? SLOWEST : List.of()));
    }

    @Test
    void a_run_that_ended_before_a_window_was_judged_has_little_beside_its_end() {
        assertThat(texts(finished(RunOutcome.ABORTED, StopCode.ABORT_REQUESTED, "stopped by anna, no reason given",
                null, RestoreProof.Proof.NOT_NEEDED))).containsExactly(
                        "-5 The run was submitted; it ended before a window was judged.",
                        "298 The run ended: stopped by anna, no reason given.",
                        "300 No traffic had to be restored: 25 % of the traffic arrives.",
                        "300 The capacity test of 10.0.0.1:80 of shop was aborted.");
        assertThat(texts(new RunState.Pending(FACTS)))
                .containsExactly("-5 The run was submitted; no window was judged yet.");
    }

    @Test
    void has_of_a_live_run_what_is_known_so_far() {
        holding(RunPhase.BASELINE, 2, 25, 48).window(RunPhase.RAMPING, Judgement.BREACHED, 50, 71)
                .window(RunPhase.RAMPING, Judgement.BREACHED, 30, 60);

        assertThat(texts(ramping())).containsExactly(
                "0 The test of 10.0.0.1:80 began at its natural share of 25 %, with 48 requests/s.",
                "2 The baseline took 2 s, then the load began to rise; the largest share so far is 50 %.",
                "2 latency broke at 71 requests/s (697 ms against 400 ms); the share was halved to 25 %, and no window"
                        + " has held again yet.");
    }

    @Test
    void a_break_that_lasts_is_never_said_to_have_ended_because_an_earlier_one_has() {
        for (int time = 0; time < 2; time++) {
            holding(RunPhase.RAMPING, 2, 50, 60).window(RunPhase.RAMPING, Judgement.BREACHED, 50, 71)
                    .window(RunPhase.RAMPING, Judgement.BREACHED, 25, 60).holding(RunPhase.RAMPING, 2, 25, 50);
        }
        window(RunPhase.RAMPING, Judgement.BREACHED, 50, 80).window(RunPhase.RAMPING, Judgement.BREACHED, 25, 40);

        assertThat(texts(ramping())).contains("8 The SLA broke 2 more times, at 71 to 80 requests/s, and the share was"
                + " lowered each time; after the last time no window has held again yet.");
        assertThat(texts(aborted())).anyMatch(one -> one.endsWith("; after the last time no window held again."));
    }

    private static RunState aborted() {
        return finished(RunOutcome.ABORTED, StopCode.ABORT_REQUESTED, "enough", null, RestoreProof.Proof.MEASURED);
    }

    @Test
    void no_limit_is_found_where_the_load_could_not_rise_to_it() {
        holding(RunPhase.BASELINE, 2, 25, 48).holding(RunPhase.RAMPING, 3, 40, 60)
                .holding(RunPhase.CONFIRMING, 3, 40, 60);
        String over = "5 The rise of the load was over, and confirming its result began.";
        assertThat(texts(ramping())).contains(over);
        windows.clear();

        holding(RunPhase.BASELINE, 2, 25, 48).window(RunPhase.RAMPING, Judgement.BREACHED, 30, 60)
                .holding(RunPhase.RAMPING, 2, 40, 60).holding(RunPhase.CONFIRMING, 3, 40, 60);

        assertThat(texts(ramping())).contains("5 A limit was found, and confirming it began.");
        assertThat(texts(finished(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED, "no more traffic",
                new CapacityEstimate(60, 60, 0, "", null, null, 60.0, null), RestoreProof.Proof.MEASURED)))
                .contains(over);
    }

    @Test
    void windows_that_broke_in_passing_and_those_without_an_answer_are_counted_all() {
        holding(RunPhase.BASELINE, 2, 25, 48).window(RunPhase.BASELINE, Judgement.BREACHED, 25, 48)
                .holding(RunPhase.BASELINE, 2, 25, 48).window(RunPhase.BASELINE, Judgement.BREACHED, 25, 48)
                .window(RunPhase.BASELINE, Judgement.INCONCLUSIVE, 25, 48)
                .window(RunPhase.BASELINE, Judgement.BREACHED, 24, 48).holding(RunPhase.BASELINE, 1, 24, 48)
                .window(RunPhase.BASELINE, Judgement.INCONCLUSIVE, 24, 48);

        assertThat(texts(ramping())).containsExactly(
                "0 The test of 10.0.0.1:80 began at its natural share of 25 %, with 48 requests/s.",
                "2 latency broke at 48 requests/s (697 ms against 400 ms), and the SLA held again 1 s later.",
                "5 After that 2 windows broke the SLA; the share was hardly lowered.",
                "6 2 windows gave no answer, whether the SLA held.");
    }

    @Test
    void traffic_that_is_not_natural_is_never_called_restored() {
        RunState ended = finished(RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, "found",
                new CapacityEstimate(68, 66, 70.5, "latency", 0.4, 0.4, 66.0, 71.0), RestoreProof.Proof.CONTRADICTED);

        assertThat(texts(ended)).anyMatch(one -> one.contains("Traffic is NOT natural after 2.04 s"))
                .noneMatch(one -> one.contains("natural again"));
        assertThat(texts(finished(RunOutcome.ABORTED, StopCode.LEASE_LOST, "lost", null, RestoreProof.Proof.BY_EXPIRY)))
                .anyMatch(one -> one.contains("It cannot be known whether traffic is natural"));
    }

    @Test
    void names_pauses_with_their_length() {
        holding(RunPhase.BASELINE, 2, 25, 48).holding(RunPhase.PAUSED, 3, 25, 48).holding(RunPhase.RAMPING, 2, 25, 48)
                .holding(RunPhase.PAUSED, 4, 25, 48).holding(RunPhase.RAMPING, 1, 25, 48);

        assertThat(texts(ramping())).contains("2 It was paused 2 times, together for 7 s.",
                "5 The baseline took 2 s, then the load began to rise; the share is not yet raised above 25 %.");
    }

    @Test
    void a_pause_that_the_end_of_the_run_ends_has_its_length_where_that_is_known() {
        holding(RunPhase.RAMPING, 2, 25, 48).window(RunPhase.PAUSED, Judgement.HOLDS, 25, 48);

        assertThat(texts(aborted())).contains("2 It was paused for 4 min 56 s.");
        assertThat(RunHighlights.of(aborted(), windows, null)).extracting(RunHighlights.Sentence::text)
                .contains("It was paused.");
        assertThat(texts(ramping())).anyMatch(one -> one.startsWith("2 It was paused"))
                .noneMatch(one -> one.contains("0 s."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<script>alert(1)</script>", "\u202Ereversed", "a", "!"})
    void names_and_reasons_are_taken_as_they_are(String hostile) {
        windows.add(new RunHighlights.Window(START, "Ramping", Judgement.BREACHED, new Share(250_000), null,
                new RuleResult(hostile, hostile, Judgement.BREACHED, null, null, null, hostile, false, hostile),
                List.of()));

        assertThat(texts(finished(RunOutcome.ABORTED, StopCode.ABORT_REQUESTED, hostile, null,
                RestoreProof.Proof.MEASURED))).hasSizeLessThanOrEqualTo(RunHighlights.MAX_SENTENCES)
                .anyMatch(one -> one.contains(hostile + " broke"))
                .anyMatch(one -> one.startsWith("298 The run ended: " + hostile));
    }

    /** Windows that the database leaves out make no difference, and sentences are never many or out of order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void is_the_same_without_the_windows_that_change_nothing(long seed) {
        Random random = new Random(seed);
        RunPhase[] phases = {RunPhase.BASELINE, RunPhase.RAMPING, RunPhase.PAUSED, RunPhase.CONFIRMING};
        int phase = 0;
        for (int window = 0; window < 300; window++) {
            phase = random.nextInt(40) == 0 ? random.nextInt(phases.length) : phase;
            int kind = random.nextInt(12);
            window(phases[phase], kind == 0 ? Judgement.BREACHED : kind == 1 ? Judgement.INCONCLUSIVE : Judgement.HOLDS,
                    5 + random.nextInt(60), 10 + random.nextInt(90));
        }
        window(RunPhase.RAMPING, Judgement.HOLDS, 25, 48);
        List<String> whole = texts(ramping());
        List<RunHighlights.Window> all = List.copyOf(windows);
        int largest = 0;
        for (int index = 0; index < all.size(); index++) {
            RunHighlights.Window window = all.get(index);
            RunHighlights.Window before = index == 0 ? null : all.get(index - 1);
            if (before != null && window.judgement() == Judgement.HOLDS && before.judgement() == Judgement.HOLDS
                    && window.phase().equals(before.phase()) && window.asked().ppm() <= largest) {
                windows.remove(window);
            }
            largest = Math.max(largest, window.asked().ppm());
        }

        assertThat(windows).hasSizeLessThan(all.size());
        assertThat(texts(ramping())).isEqualTo(whole).hasSizeBetween(3, RunHighlights.MAX_SENTENCES);
        assertThat(RunHighlights.of(ramping(), windows, null)).extracting(RunHighlights.Sentence::at).isSorted();
    }
}
