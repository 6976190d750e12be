// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.series.SeriesState.End.Kind;
import io.redliner.controller.core.series.SeriesState.Result;
import io.redliner.controller.plan.Profile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SeriesExitCodeTest {

    private static final List<String> LABELS = List.of("old", "new", "new", "old");

    private static SeriesState series(boolean capacity, @Nullable String abort, Result... results) {
        List<SeriesState.Member> members = new ArrayList<>();
        for (int number = 1; number <= LABELS.size(); number++) {
            String label = LABELS.get(number - 1);
            members.add(new SeriesState.Member(number, label, label + ":1", 0, 1, "run-" + number,
                    number <= results.length ? results[number - 1] : null));
        }
        return new SeriesState("series", Profile.REGRESSION, 0.05, capacity, members, abort, null, null, List.of());
    }

    private static Result measured(double value) {
        return new Result(RunOutcome.CAPACITY_FOUND, "", new Measurement(value, 1), false);
    }

    private static Result without(RunOutcome outcome, StopCode code) {
        return new Result(outcome, "", null, false, code);
    }

    private static @Nullable Integer exit(SeriesState state, Kind kind) {
        return SeriesExitCode.numberOf(state.ended(kind, "", Instant.EPOCH));
    }

    @Test
    void a_regression_tells_worse_from_the_same_and_from_not_known() {
        assertThat(exit(series(true, null, measured(400), measured(401), measured(400), measured(399)),
                Kind.COMPLETED)).isZero();
        assertThat(exit(series(true, null, measured(400), measured(500), measured(501), measured(400)),
                Kind.COMPLETED)).isZero();
        assertThat(exit(series(true, null, measured(400), measured(300), measured(301), measured(400)),
                Kind.COMPLETED)).isEqualTo(99);
        Result none = without(RunOutcome.INCONCLUSIVE, StopCode.HARM_BUDGET);
        assertThat(exit(series(true, null, measured(400), none, none, measured(400)), Kind.COMPLETED)).isEqualTo(98);
        assertThat(SeriesExitCode.of(series(true, null))).isEmpty();
    }

    @Test
    void a_new_version_that_breaks_the_sla_where_the_old_one_holds_it_is_worse() {
        Result held = new Result(RunOutcome.PASSED, "", new Measurement(0.05, 0.001), false);
        Result broken = without(RunOutcome.THRESHOLD_FAILED, StopCode.SLA_BROKEN);

        assertThat(exit(series(false, null, held, broken, broken, held), Kind.COMPLETED)).isEqualTo(99);
        assertThat(SeriesResult.of(series(false, null, held, broken, broken, held)).verdict()).isEqualTo("WORSE");
        assertThat(exit(series(false, null, held, broken, held, held), Kind.COMPLETED)).isEqualTo(98);
        assertThat(exit(series(false, null, broken, broken, broken, broken), Kind.COMPLETED)).isEqualTo(98);
    }

    @Test
    void one_that_did_not_come_to_its_end_has_no_answer_even_if_it_looks_like_one() {
        SeriesState worse = series(true, null, measured(400), measured(300), measured(301), measured(400));

        assertThat(exit(worse, Kind.FAILED)).isEqualTo(98);
        assertThat(exit(series(true, "wrong day", measured(400), measured(300)), Kind.ABORTED)).isEqualTo(105);
        assertThat(exit(series(true, null, without(RunOutcome.ABORTED, StopCode.KILL_SWITCH)), Kind.ABORTED))
                .isEqualTo(105);
        assertThat(exit(series(true, null, without(RunOutcome.ABORTED, StopCode.GUARD_BREACHED)), Kind.ABORTED))
                .isEqualTo(99);
    }
}
