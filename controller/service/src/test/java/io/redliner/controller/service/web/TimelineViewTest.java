// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.service.persistence.WindowSums;
import io.redliner.controller.service.persistence.WindowSums.GaugePeak;
import io.redliner.controller.service.report.WindowBucket;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineViewTest {

    private static final MathContext SIX = new MathContext(6, RoundingMode.HALF_EVEN);

    @ParameterizedTest
    @CsvSource({"0, 0", "0.1, 0.1", "0.30000000000000004, 0.3", "1234567.8, 1234570", "-0.0123456789, -0.0123457",
        "999999.7, 1000000", "1e300, 1e300", "1e-300, 1e-300", "0.000001234567891, 0.00000123457"})
    void a_number_has_six_digits(double value, double rounded) {
        assertThat(TimelineView.rounded(value)).isEqualTo(rounded);
    }

    @Test
    void no_value_is_written_longer_than_by_exact_arithmetic() {
        Random random = new Random(1);
        for (int tries = 0; tries < 100_000; tries++) {
            double value = random.nextGaussian() * Math.pow(10, random.nextInt(24) - 12);

            assertThat(TimelineView.rounded(value)).as("%s", value)
                    .isEqualTo(new BigDecimal(value).round(SIX).doubleValue());
        }
    }

    private static WindowBucket bucket(int second) {
        Instant start = Instant.ofEpochSecond(second);
        return new WindowBucket(start, start.plusSeconds(1), 1, second, "Ramping", 1, Map.of("errors", 2.0), Map.of());
    }

    @Test
    void a_time_without_windows_is_a_gap_and_no_line() {
        RunFacts facts = new RunFacts("run", "shop", "a:1", 1, Share.NONE,
                new RunBounds(new Share(500_000), 2, Duration.ofHours(1), 0.01, Duration.ofSeconds(1)),
                RunTimeouts.DEFAULT, Instant.EPOCH);
        StoredRun run = new StoredRun("run", new CanonicalPlan("plan", "hash", "{}"), new RunState.Pending(facts), 0, 0,
                Instant.EPOCH,
                null);
        List<WindowBucket> buckets = IntStream.concat(IntStream.range(0, 10), IntStream.range(100, 110))
                .mapToObj(TimelineViewTest::bucket).toList();
        GaugePeak cpu = new GaugePeak(Instant.ofEpochSecond(101), false, "cpu", "ratio", 0.5);

        TimelineView view = TimelineView.of(run, null, new WindowSums.Chart(Duration.ofSeconds(1),
                List.of("errors", "harm"), buckets, 0, List.of()), List.of(cpu), null);

        assertThat(view.start()).hasSize(21).containsOnlyOnce((Long) null);
        assertThat(view.start().get(10)).isNull();
        assertThat(view.values().get("errors")).containsOnlyOnce((Double) null).hasSize(21).contains(2.0);
        assertThat(view.values().get("harm")).containsOnlyNulls().hasSize(21);
        assertThat(view.gauges()).singleElement()
                .satisfies(gauge -> assertThat(gauge.values().indexOf(0.5)).isEqualTo(12));
        assertThat(view.peersGauges()).isEmpty();
        assertThat(view.windows()).isEqualTo(20);
    }
}
