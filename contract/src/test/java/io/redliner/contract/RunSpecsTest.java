// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.RunSpecs.Order;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunSpecsTest {

    private static RunSpec run(String id, long epoch, RunPhase phase) {
        return RunSpec.newBuilder().setService("cart").setRunId(id).setEpoch(epoch).setPhase(phase)
                .setWindowLengthMs(1_000).build();
    }

    private static RunSpec live(String id, long epoch) {
        return run(id, epoch, RunPhase.RUN_PHASE_RAMPING);
    }

    private static RunSpec over(String id, long epoch) {
        return run(id, epoch, RunPhase.RUN_PHASE_FINISHED);
    }

    @Test
    void a_controller_that_lost_its_run_is_not_believed() {
        assertThat(RunSpecs.order(live("a", 7), live("a", 6))).isEqualTo(Order.STALE);
        assertThat(RunSpecs.order(live("a", 7), over("b", 6))).isEqualTo(Order.STALE);
        assertThat(RunSpecs.order(over("a", 7), live("a", 6))).isEqualTo(Order.STALE);
        assertThat(RunSpecs.order(live("a", 7), live("a", 7))).isEqualTo(Order.NEWEST);
        assertThat(RunSpecs.order(live("a", 7), live("b", 8))).isEqualTo(Order.NEWEST);
        assertThat(RunSpecs.order(null, live("a", 7))).isEqualTo(Order.NEWEST);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1_000_008})
    void no_epoch_is_believed_that_no_controller_makes(long epoch) {
        assertThat(RunSpecs.order(live("a", 7), over("forged", epoch))).isEqualTo(Order.EPOCH_JUMP);
        assertThat(RunSpecs.order(over("a", 7), live("forged", epoch))).isEqualTo(Order.EPOCH_JUMP);
        assertThat(RunSpecs.order(null, live("forged", epoch))).isEqualTo(Order.EPOCH_JUMP);
    }

    @Test
    void an_end_that_no_controller_wrote_hides_no_later_run() {
        assertThat(RunSpecs.order(over("forged", 900_000), live("a", 8))).isEqualTo(Order.NEWEST);
    }

    @Test
    void what_cannot_be_calculated_with_is_refused() {
        RunSpec run = live("a", 7);
        assertThatCode(() -> RunSpecs.validate("cart", run)).doesNotThrowAnyException();
        assertThatCode(() -> RunSpecs.validate("cart", over("a", 7).toBuilder().clearWindowLengthMs().build()))
                .doesNotThrowAnyException();
        refused(run.toBuilder().setService("other"), "under the key 'cart'");
        refused(run.toBuilder().setRunId("x".repeat(5_000)), "characters");
        for (long absurd : new long[]{Long.MIN_VALUE, -1, Long.MAX_VALUE}) {
            refused(run.toBuilder().setStartedAtMs(absurd), "started_at_ms");
            refused(run.toBuilder().setTurnsBackAtMs(absurd), "turns_back_at_ms");
            refused(run.toBuilder().setWindowLengthMs(absurd), "window_length_ms");
            refused(run.toBuilder().addOverdueLimitsMicros(absurd), "overdue_limits_micros");
        }
        refused(run.toBuilder().setWindowLengthMs(1), "window_length_ms");
    }

    private static void refused(RunSpec.Builder run, String message) {
        assertThatThrownBy(() -> RunSpecs.validate("cart", run.build())).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
