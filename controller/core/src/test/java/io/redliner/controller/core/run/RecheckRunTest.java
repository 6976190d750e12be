// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.LoadProfile.Level;
import io.redliner.controller.core.run.LoadProfile.Point;
import io.redliner.controller.core.run.LoadProfile.Signal;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Runs of a recheck: the service gets 1000 requests/s, its instance 250 of them, and its capacity was 500. */
class RecheckRunTest {

    private static final LoadProfile KNOWN = known();

    private final PlannedRun run = new PlannedRun(plan(KNOWN));

    private static StepPlan plan(LoadProfile known) {
        return new StepPlan.Recheck(LoadGoal.ofRate(400), Duration.ofSeconds(15), Duration.ofSeconds(40),
                new KnownCapacity(500, 480, 520, 1), known);
    }

    private static LoadProfile known() {
        List<Point> points = new ArrayList<>();
        for (double load = 240; load < 520; load *= 1.05) {
            double waiting = Math.log(Math.max(0.9, Math.pow(load / 400, 2)));
            SortedMap<Signal, Level> levels = new TreeMap<>();
            levels.put(Signal.LATENCY_P50, new Level(Math.log(0.01) + waiting, 0.01));
            levels.put(Signal.LATENCY_P99, new Level(Math.log(0.1) + waiting, 0.01));
            points.add(new Point(load, levels, 0, 0, 3));
        }
        return new LoadProfile("latency 0.01", points);
    }

    @Test
    void a_capacity_that_is_as_it_was_passes_at_four_fifths_of_it_and_records_none() {
        run.begin();
        run.healthy(75, SearchAdvice.Action.HOLD);

        assertThat(run.ending().reason().code()).as(run.ending().reason().detail()).isEqualTo(StopCode.AS_BEFORE);
        assertThat(run.ending().outcome()).isEqualTo(RunOutcome.PASSED);
        assertThat(run.ending().capacity()).isEmpty();
        assertThat(run.ending().combined()).isEmpty();
        assertThat(run.ending().findings()).isNotNull();
        assertThat(run.highest).isEqualTo(new Share(400_000));
    }

    @Test
    void a_broken_sla_at_the_load_sheds_it_at_once_and_ends_it_the_second_time() {
        run.begin();
        run.healthy(40, SearchAdvice.Action.HOLD);
        assertThat(run.share()).isEqualTo(new Share(400_000));

        run.broken(1);
        assertThat(run.share()).isEqualTo(new Share(250_000));

        run.healthy(30, SearchAdvice.Action.HOLD);
        assertThat(run.share()).isEqualTo(new Share(400_000));
        run.broken(1);
        assertThat(run.ending().reason().code()).isEqualTo(StopCode.MOVE_UNKNOWN);
        assertThat(run.ending().reason().detail()).contains("all that is measured is as it was");
        assertThat(ExitCode.of(run.ending(), plan(KNOWN))).isEqualTo(ExitCode.INCONCLUSIVE);
    }

    @Test
    void a_broken_sla_on_the_way_sheds_it_at_once_and_ends_it_the_second_time() {
        run.begin();
        run.healthy(12, SearchAdvice.Action.HOLD);
        run.broken(1);
        assertThat(run.share()).isEqualTo(new Share(250_000));

        run.healthy(9, SearchAdvice.Action.HOLD);
        assertThat(run.share()).isGreaterThan(new Share(250_000));
        run.broken(1);

        assertThat(run.ending().reason().code()).isEqualTo(StopCode.MOVED);
        assertThat(run.ending().outcome()).isEqualTo(RunOutcome.THRESHOLD_FAILED);
        assertThat(ExitCode.of(run.ending(), plan(KNOWN))).isEqualTo(ExitCode.THRESHOLD_FAILED);
    }

    @Test
    void windows_without_an_answer_end_it_as_every_run() {
        run.begin();
        run.healthy(40, SearchAdvice.Action.HOLD);
        run.judged(10, Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD);

        assertThat(run.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void its_plan_is_the_same_after_a_controller_has_read_it_back() {
        RunState.Pending state = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", 7,
                new Share(250_000), new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01,
                        Duration.ofSeconds(1)),
                RunTimeouts.DEFAULT, Simulation.START, io.redliner.contract.redirect.Redirect.SPLIT,
                StartConditions.NONE, null, plan(KNOWN)));
        RunJsonMapper json = new RunJsonMapper();

        assertThat(json.state(json.write(state))).isEqualTo(state);
    }
}
