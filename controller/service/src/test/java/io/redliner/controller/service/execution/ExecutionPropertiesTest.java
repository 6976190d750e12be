// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.run.RunTimeouts;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ExecutionPropertiesTest {

    /** The default times of the README, divided. */
    private static ExecutionProperties divided(long lease, long others) {
        RunTimeouts usual = RunTimeouts.DEFAULT;
        return new ExecutionProperties(usual.leaseTtl().dividedBy(lease), usual.renewal().dividedBy(others),
                usual.acknowledgement().dividedBy(others), usual.redirectorSilence().dividedBy(others),
                usual.preparation().dividedBy(others), usual.restoreMargin().dividedBy(others),
                usual.baseline().dividedBy(others), Duration.ofMillis(250).dividedBy(others),
                Duration.ofMillis(500).dividedBy(others), Duration.ofSeconds(2).dividedBy(others), 2);
    }

    @Test
    void all_times_may_be_shorter_together() {
        assertThat(divided(1, 1).times()).isEqualTo(RunTimeouts.DEFAULT);
        assertThat(divided(10, 10).times().leaseTtl()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void a_lease_that_runs_out_before_it_is_renewed_acknowledged_or_taken_over_is_refused() {
        assertThatThrownBy(() -> divided(10, 1).times()).hasMessageContaining("would run out before");
        assertThatThrownBy(() -> divided(2, 1))
                .hasMessageContaining("takeover-after, two looks (watch) and one renewal")
                .hasMessageContaining("PT2.5S");
        assertThatThrownBy(() -> times("2s", "1.5s", "1s")).hasMessageContaining("cannot be renewed every PT1.5S");
        assertThatThrownBy(() -> times("2s", "1s", "3s")).hasMessageContaining("has run out before an acknowledgement");
        assertThatThrownBy(() -> times("0s", "1s", "3s")).hasMessageContaining("positive");
    }

    private static RunTimeouts times(String lease, String renewal, String acknowledgement) {
        return new RunTimeouts(Duration.parse("PT" + lease), Duration.parse("PT" + renewal),
                Duration.parse("PT" + acknowledgement), Duration.ofSeconds(5), Duration.ofSeconds(20),
                Duration.ofSeconds(2), Duration.ofSeconds(5));
    }
}
