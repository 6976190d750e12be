// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.World;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stolen time is a doubt by what it changed. */
class HostCheckTest {

    @Test
    void stolen_time_that_changes_nothing_is_no_doubt() {
        assertThat(always(0.04).verdict()).isEqualTo(CheckStatus.OK);
        assertThat(always(0.2).verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(always(0.2).words()).contains("20 %", "at least the capacity found");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 12})
    void stolen_seconds_that_hold_no_more_late_requests_than_others_are_no_doubt(int every) {
        var check = host(stealing(new World(1), every));

        assertThat(check.verdict()).as(check.words()).isEqualTo(CheckStatus.OK);
        assertThat(check.words()).doesNotContain("take more");
    }

    @Test
    void stolen_seconds_in_which_the_requests_are_late_are_a_doubt() {
        var windows = new AtomicInteger();
        // The world asks for the SUT's latency once in a window.
        var world = stealing(new World(1).latency(load -> windows.getAndIncrement() % 12 == 0
                ? 3 * World.fourWorkers(load)
                : 0.6 * World.fourWorkers(load)), 12);

        var check = host(world);

        assertThat(check.verdict()).as(check.words()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check.words()).contains("on average while it was loaded", "of the requests beyond the limit");
    }

    /** Steals 3 % of the time, all of it in one window of so many. */
    private static World stealing(World world, int every) {
        var windows = new AtomicInteger();
        return world.telling(window -> World.with(window, "cpu.steal",
                windows.getAndIncrement() % every == 0 ? 0.03 * every : 0));
    }

    private static ValidityCheckResult always(double part) {
        return host(new World(1).gauges(load -> Map.of("cpu.steal", part)));
    }

    private static ValidityCheckResult host(World world) {
        return ValidityChecks.of(world.run(), ValidityChecksTest.QUIET, World.SUT).stream()
                .filter(check -> check.name().equals("host")).findFirst().orElseThrow();
    }
}
