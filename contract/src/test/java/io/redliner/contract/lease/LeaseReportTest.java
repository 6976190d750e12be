// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseReportTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @EnumSource
    void a_state_is_read_as_it_was_written(ReportedLeaseState state) {
        assertThat(ReportedLeaseState.read(state.write())).isEqualTo(state);
    }

    @ParameterizedTest
    @EnumSource
    void a_change_is_read_as_it_was_written_by_the_clock_of_the_others(FleetChange.Kind kind) {
        FleetChange change = new FleetChange(kind, "10.0.0.2:80", AT, "says the registry");

        assertThat(FleetChange.read(change.write(Duration.ofSeconds(3)), UnaryOperator.identity()))
                .isEqualTo(new FleetChange(kind, "10.0.0.2:80", AT.plusSeconds(3), "says the registry"));
    }

    @Test
    void a_kill_switch_is_read_as_it_was_written() {
        KillSwitch engaged = new KillSwitch(true, "ops", "fire", AT);

        assertThat(KillSwitch.read(engaged.topicRecord().getKillSwitch(), UnaryOperator.identity())).isEqualTo(engaged);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 253_402_214_400_001L, Long.MAX_VALUE})
    void an_impossible_time_is_no_reason_not_to_obey_a_kill_switch(long millis) {
        var message = new KillSwitch(true, "ops", "fire", AT).write().toBuilder().setAtMs(millis).build();

        KillSwitch read = KillSwitch.read(message, UnaryOperator.identity());

        assertThat(read.engaged()).isTrue();
        assertThat(read.at()).isBetween(Instant.EPOCH, Instant.parse("9999-12-31T00:00:00Z"));
    }
}
