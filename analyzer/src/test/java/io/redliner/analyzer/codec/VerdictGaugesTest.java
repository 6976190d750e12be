// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redliner.contract.v1.Figure;
import io.redliner.contract.v1.Unit;
import io.redliner.sla.OverdueRequests;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class VerdictGaugesTest {

    private static WindowStats measured(Map<String, Double> gauges, OverdueRequests... overdue) {
        return new WindowStats(Duration.ofSeconds(1), 10, 10, 0, 0, new Histogram(3), List.of(overdue), gauges);
    }

    @Test
    void what_has_a_meaning_comes_first_with_its_unit_and_in_one_order() {
        var shown = VerdictGauges.all(measured(Map.of("orders", 3.0, "gc.pause", 0.012345678, "cpu", 0.5, "net.tx", 1e6,
                "sockets.connections", 40.0)));

        assertThat(shown).extracting(Figure::getName, Figure::getValue, Figure::getUnit).containsExactly(
                tuple("cpu", 0.5, Unit.UNIT_RATIO), tuple("gc.pause", 0.01235, Unit.UNIT_SECONDS),
                tuple("net.tx", 1e6, Unit.UNIT_BYTES_PER_SECOND), tuple("sockets.connections", 40.0, Unit.UNIT_COUNT),
                tuple("orders", 3.0, Unit.UNIT_UNSPECIFIED));
    }

    @Test
    void what_was_not_measured_is_not_reported_and_never_0() {
        assertThat(VerdictGauges.all(measured(Map.of("cpu", Double.NaN, "memory", Double.POSITIVE_INFINITY))))
                .isEmpty();
    }

    @Test
    void a_broken_window_has_its_three_slowest_requests_the_slowest_first() {
        var window = measured(Map.of("cpu", 0.5, "requests.slowest[a3ce929d0e0e4731]", 0.3,
                "requests.slowest[a3ce929d0e0e4732]", 0.9, "requests.slowest[a3ce929d0e0e4733]", 0.1,
                "requests.slowest[a3ce929d0e0e4734]", 0.7));

        assertThat(VerdictGauges.withSlowestRequests(window)).extracting(Figure::getName, Figure::getUnit)
                .containsExactly(
                        tuple("cpu", Unit.UNIT_RATIO), tuple("requests.slowest[a3ce929d0e0e4732]", Unit.UNIT_SECONDS),
                        tuple("requests.slowest[a3ce929d0e0e4734]", Unit.UNIT_SECONDS),
                        tuple("requests.slowest[a3ce929d0e0e4731]", Unit.UNIT_SECONDS));
        assertThat(VerdictGauges.all(window)).extracting(Figure::getName).containsExactly("cpu");
    }

    @Test
    void overdue_requests_are_reported_where_they_are_counted() {
        assertThat(VerdictGauges.known(measured(Map.of(), new OverdueRequests(Duration.ofMillis(200), 7, 2))))
                .extracting(Figure::getName, Figure::getValue).containsExactly(tuple("overdue", 7.0));
    }

    @Test
    void a_service_with_hundreds_of_its_own_fills_no_journal() {
        var many = new HashMap<String, Double>(Map.of("cpu", 0.5));
        for (int number = 0; number < 500; number++) {
            many.put("own_" + number, 1.0);
            many.put("labelled_" + number + "{uri=\"/a\"}", 1.0);
        }

        assertThat(VerdictGauges.all(measured(many))).hasSize(VerdictGauges.MAX_GAUGES)
                .extracting(Figure::getName).doesNotHaveDuplicates().contains("cpu")
                .noneMatch(name -> name.contains("{"));
        assertThat(VerdictGauges.known(measured(many))).hasSize(1);
    }

    @Test
    void finer_names_and_the_collectors_own_are_left_out() {
        assertThat(VerdictGauges.all(measured(Map.of("cpu[3]", 1.0, "collector.lag", 1.0, "clock.offset", 1.0))))
                .isEmpty();
    }
}
