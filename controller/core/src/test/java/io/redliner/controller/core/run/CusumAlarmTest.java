// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.Judgement;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CusumAlarmTest {

    private static final int HOUR = 3600;

    private static WindowSample window(long requests, long slow) {
        Judgement health = slow > 0.01 * requests ? Judgement.BREACHED : Judgement.HOLDS;
        return window(health, Track.rule("p99", false, health, null, "", new RuleCounts(requests, slow, 0.01)));
    }

    private static WindowSample window(Judgement health, RuleResult rule) {
        return new WindowSample(
                Track.verdict(Instant.EPOCH, health, List.of(rule), List.of(), TrafficSample.NONE, 1),
                Instant.EPOCH, health, 0, new WindowSample.Loads(1, 1, 1, 1, 2));
    }

    /** Windows until an alarm, or an hour. */
    private static int until(int requests, double slow, Random random) {
        CusumAlarm alarm = CusumAlarm.QUIET;
        for (int window = 1; window <= HOUR; window++) {
            int late = 0;
            for (int request = 0; request < requests; request++) {
                late += random.nextDouble() < slow ? 1 : 0;
            }
            alarm = alarm.after(window(requests, late));
            if (alarm.raised() != null) {
                return window;
            }
        }
        return HOUR + 1;
    }

    @ParameterizedTest
    @CsvSource({"20, 0.005", "50, 0.007", "100, 0.008", "400, 0.009"})
    void what_holds_raises_none_in_an_hour_however_few_requests_a_window_has(int requests, double slow) {
        Random random = new Random(5);
        for (int hour = 0; hour < 20; hour++) {
            assertThat(until(requests, slow, random)).isGreaterThan(HOUR);
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 0.1, 4", "100, 0.05, 12", "100, 0.02, 120", "1000, 0.02, 14"})
    void what_does_not_hold_raises_it_soon(int requests, double slow, int windows) {
        Random random = new Random(5);
        for (int hour = 0; hour < 20; hour++) {
            assertThat(until(requests, slow, random)).isLessThanOrEqualTo(windows);
        }
    }

    @Test
    void a_level_has_to_be_broken_twice_in_a_row() {
        WindowSample broken = window(Judgement.BREACHED,
                Track.rule("cpu", false, Judgement.BREACHED, 0.9, "", null));

        assertThat(CusumAlarm.QUIET.after(broken).raised()).isNull();
        assertThat(CusumAlarm.QUIET.after(broken).after(window(100, 0)).after(broken).raised()).isNull();
        assertThat(CusumAlarm.QUIET.after(broken).after(broken).raised()).contains("cpu");
    }
}
