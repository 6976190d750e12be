// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.series.SeriesDecider.SeriesDecision;
import io.redliner.controller.core.series.SeriesDecider.SeriesEvent;
import io.redliner.controller.plan.Profile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeriesDeciderTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;

    private SeriesState state = series();

    private Optional<SeriesDecision.Command> command = Optional.empty();

    private static SeriesState series() {
        List<SeriesState.Member> members = new ArrayList<>();
        for (String label : List.of("old", "new", "new", "old")) {
            members.add(new SeriesState.Member(members.size() + 1, label, label + ":1", 0, 1, null, null));
        }
        return new SeriesState("series", Profile.REGRESSION, 0.05, true, members, null, null, null, List.of());
    }

    private void decide(SeriesEvent event) {
        SeriesDecision decision = SeriesDecider.decide(state, event, now);
        state = decision.state();
        command = decision.command();
    }

    private SeriesState.End end() {
        return Objects.requireNonNull(state.end());
    }

    private static SeriesState.Result found(double capacity) {
        return new SeriesState.Result(RunOutcome.CAPACITY_FOUND, "found", new Measurement(capacity, 1), false);
    }

    private void run(int number, SeriesState.Result result) {
        decide(new SeriesEvent.Looked());
        assertThat(command.orElseThrow()).isEqualTo(
                new SeriesDecision.Command.Start(state.members().get(number - 1)));
        decide(new SeriesEvent.Started(number, 1, "run-" + number));
        decide(new SeriesEvent.Looked());
        assertThat(command).isEmpty();
        decide(new SeriesEvent.RunEnded(number, result));
    }

    @Test
    void runs_its_members_one_after_another_and_says_what_they_mean() {
        run(1, found(400));
        assertThat(SeriesResult.of(state).verdict()).isEqualTo("INCONCLUSIVE");
        run(2, found(300));
        run(3, found(301));
        run(4, found(401));

        assertThat(end().kind()).isEqualTo(SeriesState.End.Kind.COMPLETED);
        assertThat(SeriesResult.of(state).verdict()).isEqualTo("WORSE");
        assertThat(SeriesResult.of(state).words()).contains("-25 %", "4 runs");
    }

    @Test
    void a_run_without_an_answer_is_left_out_and_a_failed_one_ends_it_with_what_it_has() {
        run(1, found(400));
        run(2, new SeriesState.Result(RunOutcome.INCONCLUSIVE, "harm budget", null, false));
        run(3, found(400));
        run(4, new SeriesState.Result(RunOutcome.FAILED, "lease lost", null, false));

        assertThat(end().kind()).isEqualTo(SeriesState.End.Kind.FAILED);
        assertThat(end().reason()).contains("run 4 of 4", "lease lost");
        assertThat(SeriesResult.of(state).words()).contains("2 runs");
    }

    @Test
    void a_run_that_only_its_controller_ended_is_started_again_but_not_for_ever() {
        SeriesState.Result stopped = new SeriesState.Result(RunOutcome.ABORTED, "the controller was stopped", null,
                true);
        run(1, found(400));
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(command.orElseThrow()).isEqualTo(
                    new SeriesDecision.Command.Start(state.members().get(1)));
            if (attempt > 1) {
                decide(new SeriesEvent.Started(2, 1, "late word of the first attempt"));
            }
            decide(new SeriesEvent.Started(2, attempt, "run-2-" + attempt));
            assertThat(state.end()).isNull();
            decide(new SeriesEvent.RunEnded(2, stopped));
        }

        assertThat(end().kind()).isEqualTo(SeriesState.End.Kind.ABORTED);
        assertThat(SeriesResult.of(state).words()).contains("1 measurements of the old");
    }

    @Test
    void waits_for_a_busy_service_but_not_for_ever() {
        decide(new SeriesEvent.Refused(1, "busy", true));
        assertThat(state.end()).isNull();
        now = now.plus(Duration.ofMinutes(30));
        decide(new SeriesEvent.Looked());
        assertThat(command).isPresent();
        now = now.plus(Duration.ofMinutes(31));
        decide(new SeriesEvent.Refused(1, "busy", true));

        assertThat(end().kind()).isEqualTo(SeriesState.End.Kind.FAILED);
        assertThat(end().reason()).contains("busy");
    }

    @Test
    void what_nothing_will_mend_ends_it_at_once() {
        decide(new SeriesEvent.Refused(1, "no such instance", false));

        assertThat(end().reason()).contains("run 1 of 4", "no such instance");
    }

    @Test
    void an_abort_ends_the_run_first_and_starts_no_other() {
        decide(new SeriesEvent.Started(1, 1, "run-1"));
        decide(new SeriesEvent.AbortRequested("wrong day"));
        assertThat(command.orElseThrow()).isEqualTo(new SeriesDecision.Command.Abort("run-1", "wrong day"));
        decide(new SeriesEvent.Looked());
        assertThat(command.orElseThrow()).isEqualTo(new SeriesDecision.Command.Abort("run-1", "wrong day"));
        decide(new SeriesEvent.RunEnded(1, new SeriesState.Result(RunOutcome.ABORTED, "wrong day", null, false)));

        assertThat(end().kind()).isEqualTo(SeriesState.End.Kind.ABORTED);
        assertThat(command).isEmpty();
    }

    @Test
    void a_run_that_was_accepted_too_late_is_ended() {
        decide(new SeriesEvent.AbortRequested("wrong day"));
        assertThat(state.end()).isNotNull();

        decide(new SeriesEvent.Started(1, 1, "run-1"));

        assertThat(command.orElseThrow()).isEqualTo(
                new SeriesDecision.Command.Abort("run-1", "its series is over"));
    }

    /** Three controllers that look at random, with a store that takes one change of each version. */
    @Test
    void three_controllers_start_each_member_once_and_never_two_at_a_time() {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            state = series();
            int version = 0;
            Map<Integer, String> accepted = new HashMap<>();
            SeriesState[] read = {state, state, state};
            int[] readAt = {0, 0, 0};
            for (int look = 0; look < 400 && state.end() == null; look++) {
                int controller = random.nextInt(3);
                if (random.nextBoolean()) {
                    read[controller] = state;
                    readAt[controller] = version;
                    continue;
                }
                SeriesDecision decision = SeriesDecider.decide(read[controller], event(read[controller], random,
                        accepted), START);
                if (!decision.state().equals(read[controller]) && readAt[controller] == version) {
                    state = decision.state();
                    version++;
                    assertThat(state.members().stream().filter(SeriesState.Member::live).count())
                            .as("seed %s", seed).isLessThan(2);
                }
            }
            assertThat(end().kind()).as("seed %s", seed).isEqualTo(SeriesState.End.Kind.COMPLETED);
            assertThat(state.members()).extracting(SeriesState.Member::runId).as("seed %s", seed)
                    .containsExactly("run-1", "run-2", "run-3", "run-4");
        }
    }

    private static SeriesEvent event(SeriesState seen, Random random, Map<Integer, String> accepted) {
        Optional<SeriesState.Member> live = seen.live();
        if (live.isPresent()) {
            return random.nextBoolean()
                    ? new SeriesEvent.RunEnded(live.get().number(), found(400))
                    : new SeriesEvent.Looked();
        }
        return seen.next().<SeriesEvent>map(next -> new SeriesEvent.Started(next.number(), 1,
                accepted.computeIfAbsent(next.number(), number -> "run-" + number)))
                .orElseGet(SeriesEvent.Looked::new);
    }
}
