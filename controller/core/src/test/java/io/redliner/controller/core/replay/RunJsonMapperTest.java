// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.Elsewhere;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.Simulation;
import io.redliner.controller.core.run.StartConditions;
import io.redliner.controller.core.run.StopReason;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.plan.PlanLimits;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

@Execution(ExecutionMode.CONCURRENT)
class RunJsonMapperTest {

    private final RunJsonMapper json = new RunJsonMapper();

    @Test
    void gauges_take_little_room_and_none_take_no_room() {
        TrafficSample none = new TrafficSample(1, 1, 0, 0, null, null, Share.NONE, 1L);
        TrafficSample some = new TrafficSample(1, 1, 0, 0, null, null, Share.NONE, 1L,
                List.of(new GaugeSample("cpu", 0.5, "ratio"), new GaugeSample("orders", 7, "")));

        assertThat(json.write(none)).doesNotContain("gauges");
        assertThat(json.write(some)).contains("\"gauges\":[[\"cpu\",0.5,\"ratio\"],[\"orders\",7.0,\"\"]]");
        assertThat(json.read(json.write(some), TrafficSample.class)).isEqualTo(some);
        assertThat(json.read(json.write(none), TrafficSample.class)).isEqualTo(none);
    }

    @Test
    void a_run_with_a_step_plan_is_read_back_and_decided_the_same() {
        isReadBackAndDecidedTheSame(4);
    }

    @Test
    @Tag("soak")
    void many_runs_with_a_step_plan_are_read_back_and_decided_the_same() {
        isReadBackAndDecidedTheSame(20);
    }

    private void isReadBackAndDecidedTheSame(int seeds) {
        for (long seed = 1; seed <= seeds; seed++) {
            for (Simulation.Entry entry : Simulation.planned(seed).run()) {
                RunState before = json.state(json.write(entry.before()));

                assertThat(before).isEqualTo(entry.before());
                assertThat(RunDecider.decide(before, json.event(json.write(entry.event())), entry.at()))
                        .isEqualTo(json.read(json.write(entry.decision()), RunDecision.class));
            }
        }
    }

    @Test
    void the_traffic_that_a_run_moves_is_read_back_as_it_was_written() {
        Redirect redirect = new Redirect(RedirectMode.HASH, new RoutingAttribute(RoutingAttribute.Source.COOKIE, "uid"),
                null,
                List.of(new Cohort("new", List.of(HeaderMatch.exactly("x-country", "de"),
                        HeaderMatch.between("since", 20250101, 20260101)),
                        new PathMatch(PathMatch.Kind.PREFIX, "/shop"), List.of("GET", "POST"))));
        RunState state = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, Simulation.START, redirect,
                new StartConditions(Simulation.START, new StartConditions.Approval("ann", Duration.ofHours(1)), 120.0,
                        new KnownCapacity(100, 90, 110, 3)),
                null,
                null, null, new Share(200_000)));

        assertThat(json.state(json.write(state))).isEqualTo(state);
    }

    /** A text of somebody's may be what the instant of a decision is written as. */
    @Test
    void a_decision_in_which_a_text_is_the_short_form_of_an_instant_is_read_as_it_was() {
        Simulation.Entry entry = new Simulation(1).run().stream()
                .filter(one -> one.decision().state() instanceof RunState.Finished).findFirst().orElseThrow();
        for (String detail : List.of("$at", "\"$at\"", entry.at().toString(), "at $at")) {
            RunState.Finished end = (RunState.Finished) entry.decision().state();
            RunState after = new RunState.Finished(end.facts(),
                    new RunEnd(end.ending().outcome(), new StopReason(end.ending().reason().code(), detail), null,
                            null),
                    end.restored(), end.harm(), end.milestones(), end.release(), end.finishedAt());

            String written = json.change(entry.before(), after, null, entry.decision().commands(), entry.at());

            JsonNode decision = json.tree(RunJsonMapper.whole(written, entry.at()));
            assertThat(json.state(RunJsonMapper.stateAfter(json.tree(json.write(entry.before())), decision).toString()))
                    .isEqualTo(after);
            assertThat(json.commands(decision)).isEqualTo(entry.decision().commands());
        }
    }

    @Test
    void requests_that_went_elsewhere_are_read_back_and_cost_nothing_without_any() {
        WindowVerdict verdict = LongStream.rangeClosed(1, 5).mapToObj(Simulation::new)
                .flatMap(simulation -> simulation.run().stream())
                .flatMap(entry -> entry.event() instanceof RunEvent.VerdictArrived arrived
                        ? Stream.of(arrived.verdict())
                        : Stream.empty())
                .findFirst().orElseThrow();
        WindowVerdict others = new WindowVerdict(verdict.runId(), verdict.epoch(), verdict.sequence(),
                verdict.windowStart(), verdict.windowLength(), verdict.judgement(), verdict.sla(), verdict.guards(),
                verdict.advice(), verdict.sut(), verdict.peers(), verdict.serviceRequestsPerSecond(),
                verdict.harmRequests(), verdict.estimate(), verdict.conclusion(),
                new Elsewhere(17, List.of("10.0.0.9:80")));

        assertThat(json.read(json.write(others), WindowVerdict.class)).isEqualTo(others);
        assertThat(json.write(verdict)).doesNotContain("elsewhere");
    }

    @Test
    void everything_that_a_run_can_be_is_read_back_as_it_was_written() {
        isReadBack(5);
    }

    @Test
    @Tag("soak")
    void everything_that_many_runs_can_be_is_read_back_as_it_was_written() {
        isReadBack(30);
    }

    private void isReadBack(int seeds) {
        for (long seed = 1; seed <= seeds; seed++) {
            for (Simulation.Entry entry : new Simulation(seed).run()) {
                assertThat(json.state(json.write(entry.before()))).isEqualTo(entry.before());
                assertThat(json.event(json.write(entry.event()))).isEqualTo(entry.event());
                assertThat(json.read(json.write(entry.decision()), RunDecision.class)).isEqualTo(entry.decision());
                assertThat(json.decision(json.write(entry.decision().state()), null, entry.decision().commands()))
                        .isEqualTo(json.write(entry.decision()));
            }
        }
    }
}
