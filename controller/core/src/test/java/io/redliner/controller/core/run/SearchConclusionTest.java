// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SearchConclusionTest {

    private static final CapacityEstimate ESTIMATE = new CapacityEstimate(400, 390, 410, "latency", 0.3, 0.2, 380.0,
            420.0);

    @ParameterizedTest
    @EnumSource(value = SearchAdvice.Action.class, names = {"DONE", "EXHAUSTED", "GIVE_UP"})
    void an_invalid_run_is_inconclusive_whatever_the_advice_and_keeps_its_estimate(SearchAdvice.Action action) {
        RunEnd ending = SearchingDecider.answer(verdict(action, Validity.INVALID)).orElseThrow();

        assertThat(ending.outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(ending.reason()).as("a search that gave up by itself says why first")
                .isEqualTo(new StopReason(StopCode.INVALID, action == SearchAdvice.Action.GIVE_UP
                        ? "advice; check fleet: a peer left"
                        : "check fleet: a peer left"));
        assertThat(ending.estimate()).isEqualTo(ESTIMATE);
        assertThat(ending.conclusion()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(value = Validity.class, names = {"OK", "DOUBTFUL", "UNKNOWN"})
    void only_an_invalid_run_loses_its_result(Validity validity) {
        assertThat(SearchingDecider.answer(verdict(SearchAdvice.Action.DONE, validity)).orElseThrow().outcome())
                .isEqualTo(RunOutcome.CAPACITY_FOUND);
        assertThat(SearchingDecider.answer(verdict(SearchAdvice.Action.EXHAUSTED, validity)).orElseThrow().outcome())
                .isEqualTo(RunOutcome.TRAFFIC_EXHAUSTED);
        assertThat(
                SearchingDecider.answer(verdict(SearchAdvice.Action.GIVE_UP, validity)).orElseThrow().reason().code())
                .isEqualTo(StopCode.SEARCH_GAVE_UP);
    }

    @Test
    void what_was_known_is_kept_whatever_ended_the_run() {
        SearchConclusion conclusion = new SearchConclusion(List.of(), List.of(
                new SearchConclusion.ValidityCheck("fleet", Validity.OK, 0.0, 0.0, "count", "nobody left")));
        RunScenario scenario = new RunScenario();
        scenario.ramping(400);
        scenario.decide(new RunEvent.AbortRequested("stop"));
        scenario.status(ReportedLeaseState.NATURAL);
        scenario.after(Duration.ofSeconds(2));
        WindowVerdict back = scenario.verdict(Judgement.HOLDS, SearchAdvice.Action.HOLD, 250);
        scenario.decide(new RunEvent.VerdictArrived(new WindowVerdict(back.runId(), back.epoch(), back.sequence(),
                back.windowStart(), back.windowLength(), back.judgement(), back.sla(), back.guards(), back.advice(),
                back.sut(), back.peers(), back.serviceRequestsPerSecond(), 0, back.estimate(), conclusion, null)));

        RunEnd ending = ((RunState.Finished) scenario.state()).ending();
        assertThat(ending.outcome()).isEqualTo(RunOutcome.ABORTED);
        assertThat(ending.estimate()).isEqualTo(ESTIMATE);
        assertThat(ending.conclusion()).isEqualTo(conclusion);
    }

    private static WindowVerdict verdict(SearchAdvice.Action action, Validity validity) {
        TrafficSample traffic = new TrafficSample(400, 400, 0, 4, 0.01, 0.1, new Share(400_000));
        return new WindowVerdict("run", 7, 1, Instant.EPOCH, Duration.ofSeconds(1), Judgement.HOLDS, List.of(),
                List.of(), new SearchAdvice(action, 0, SearchAdvice.Phase.ENDED, "advice", 3), traffic, traffic, 1000,
                0,
                ESTIMATE,
                new SearchConclusion(List.of(), List.of(
                        new SearchConclusion.ValidityCheck("proxy", Validity.UNKNOWN, null, null, "ratio",
                                "not measured"),
                        new SearchConclusion.ValidityCheck("fleet", validity, 1.0, 0.0, "count", "a peer left"))),
                null);
    }
}
