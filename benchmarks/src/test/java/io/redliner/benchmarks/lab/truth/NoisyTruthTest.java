// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.NoiseSetting;
import io.redliner.benchmarks.lab.traffic.NoiseSource;
import org.junit.jupiter.api.Test;

class NoisyTruthTest {

    private final ServerKind kind = ServerKinds.named("lowrate");

    @Test
    void without_noise_it_is_the_recorded_capacity() {
        assertThat(NoisyTruth.find(kind, NoiseSource.NONE, 1).orElseThrow() / RecordedCapacities.of(kind))
                .isEqualTo(1, within(0.04));
    }

    @Test
    void noise_costs_capacity_as_recorded() {
        double found = NoisyTruth.find(kind, NoiseSetting.named("mild20").shared(), 1).orElseThrow();

        assertThat(found).isLessThan(0.9 * RecordedCapacities.of(kind));
        assertThat(found / RecordedCapacities.beside(kind, "mild20").orElseThrow()).isEqualTo(1, within(0.1));
        assertThat(RecordedCapacities.beside(kind, "nothing of this name")).isEmpty();
    }
}
