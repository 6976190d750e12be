// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.sla.Judgement;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The controller's own rules: see ShareDecider and SearchingDecider there. */
class LabControllerTest {

    private static final double SERVICE = 10_000;

    private static final double LARGEST = 0.25;

    private final LabController controller = new LabController(LARGEST);

    @Test
    void a_load_becomes_a_share() {
        assertThat(after(Judgement.HOLDS, Action.GO, 800, 1)).isCloseTo(0.08, within(1e-9));
        assertThat(after(Judgement.HOLDS, Action.HOLD, 790, 1)).isCloseTo(0.079, within(1e-9));
    }

    @Test
    void nothing_is_raised_after_a_window_that_does_not_hold() {
        assertThat(after(Judgement.BREACHED, Action.GO, 800, 1)).isEqualTo(ServerFleet.NATURAL_SHARE);
        assertThat(after(Judgement.INCONCLUSIVE, Action.GO, 800, 1)).isEqualTo(ServerFleet.NATURAL_SHARE);
        assertThat(after(Judgement.HOLDS, Action.SHED, 800, 1)).isEqualTo(ServerFleet.NATURAL_SHARE);
        assertThat(after(Judgement.BREACHED, Action.SHED, 300, 2)).isCloseTo(0.03, within(1e-9));
    }

    @Test
    void a_step_at_most_doubles_the_share_and_never_passes_the_largest() {
        assertThat(after(Judgement.HOLDS, Action.GO, 9_000, 1)).isCloseTo(0.10, within(1e-9));
        assertThat(after(Judgement.HOLDS, Action.HOLD, 9_000, 1)).isCloseTo(0.10, within(1e-9));
        assertThat(after(Judgement.HOLDS, Action.GO, 9_000, 2)).isCloseTo(0.20, within(1e-9));
        assertThat(after(Judgement.HOLDS, Action.GO, 9_000, 3)).isEqualTo(LARGEST);
    }

    @Test
    void what_is_unknown_for_long_ends_the_run() {
        // given
        after(Judgement.HOLDS, Action.GO, 900, 1);

        // then
        assertThat(after(Judgement.INCONCLUSIVE, Action.HOLD, 900, 1)).isCloseTo(0.09, within(1e-9));
        assertThat(after(Judgement.INCONCLUSIVE, Action.HOLD, 900, 1)).isEqualTo(ServerFleet.NATURAL_SHARE);
        assertThat(controller.blind()).isFalse();
        after(Judgement.INCONCLUSIVE, Action.HOLD, 900, 1);
        assertThat(controller.blind()).isTrue();
    }

    private double after(Judgement judgement, Action action, double target, int step) {
        controller.follow(judgement,
                new SearchAdvice(action, target, SearchAdvice.Phase.RAMPING, "", step, Optional.empty()), SERVICE);
        return controller.share();
    }
}
