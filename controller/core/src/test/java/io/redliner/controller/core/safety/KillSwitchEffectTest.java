// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.safety.KillSwitchEffect.Traffic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KillSwitchEffectTest {

    private static final Instant AT = Instant.parse("2026-01-01T07:54:18Z");

    private static void check(int live, int ended, int unmeasured, @Nullable Instant at, Traffic traffic,
            String words) {
        KillSwitchEffect effect = new KillSwitchEffect(live, ended, unmeasured, at);
        assertThat(effect.traffic()).isEqualTo(traffic);
        assertThat(effect.describe()).isEqualTo(words);
    }

    @Test
    void traffic_is_called_natural_only_where_that_was_measured() {
        check(0, 0, 0, null, Traffic.NOT_MOVED, "No run was live, and none had ended unproven in the day before.");
        check(2, 1, 0, AT, Traffic.RESTORING, "Traffic is being restored: 2 runs are not over yet.");
        check(1, 0, 0, null, Traffic.RESTORING, "Traffic is being restored: 1 run is not over yet.");
        check(0, 3, 0, AT, Traffic.NATURAL, "Traffic is natural, measured, since 2026-01-01T07:54:18Z.");
        check(0, 3, 1, AT, Traffic.UNKNOWN,
                "Traffic was given back by 2026-01-01T07:54:18Z; 1 run is not measured to be natural.");
    }
}
