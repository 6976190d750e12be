// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.metrics.CustomGauges.ReservedGaugeNames;
import io.redliner.collector.metrics.MetricTranslationMetrics.PointDropReason;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MetricTranslatorTest {

    private static final double[] BOUNDS = {0.1, 0.5, 1};

    private final Look look = new Look();

    @Test
    void a_counter_is_measured_as_its_rate_since_the_last_look() {
        assertThat(look.at(look.total("orders_total", 1_000))).isEmpty();

        List<GaugeMeasurement> measured = look.translate(look.total("orders_total", 1_250));

        assertThat(measured).singleElement().satisfies(rate -> {
            assertThat(rate.name()).isEqualTo("orders.rate");
            assertThat(rate.value()).isEqualTo(25);
            assertThat(Duration.between(rate.from(), rate.to())).isEqualTo(Duration.ofSeconds(10));
            assertThat(rate.hold()).isEqualTo(Look.HOLD);
        });
    }

    @Test
    void a_counter_that_goes_back_counts_from_zero() {
        look.at(look.total("orders_total", 1_000));

        assertThat(look.at(look.total("orders_total", 50))).containsExactly(entry("orders.rate", 5.0));
        assertThat(look.at(look.total("orders_total", 150))).containsExactly(entry("orders.rate", 10.0));
        assertThat(look.translator().metrics().resets()).isEqualTo(1);
    }

    @Test
    void a_counter_with_a_newer_start_counts_from_zero_even_when_it_did_not_go_back() {
        MetricSeries orders = MetricSeries.counter("orders", "", Labels.NONE);
        look.at(new MetricPoint.Total(orders, look.now().minusSeconds(60), look.now(), 10));

        assertThat(look.at(new MetricPoint.Total(orders, look.now().minusSeconds(5), look.now(), 50)))
                .containsExactly(entry("orders.rate", 5.0));
    }

    @Test
    void an_increase_is_measured_at_once_when_its_begin_is_known() {
        MetricSeries orders = MetricSeries.counter("orders", "", Labels.NONE);

        assertThat(look.at(new MetricPoint.Increment(orders, look.now().minusSeconds(4), look.now(), 100)))
                .containsExactly(entry("orders.rate", 25.0));
        assertThat(look.at(new MetricPoint.Increment(orders, null, look.now(), 100)))
                .containsExactly(entry("orders.rate", 10.0));
    }

    @Test
    void what_is_not_a_finite_number_is_dropped_and_counted_and_disturbs_nothing() {
        look.at(look.total("orders_total", 10));

        assertThat(look.at(look.total("orders_total", Double.NaN), look.level("a", Map.of(), Double.POSITIVE_INFINITY),
                look.level("b", Map.of(), 5))).containsExactly(entry("b", 5.0));
        assertThat(look.at(look.total("orders_total", 30))).containsExactly(entry("orders.rate", 1.0));
        assertThat(look.at(look.total("orders_total", -5))).isEmpty();
        assertThat(look.translator().metrics().dropped(PointDropReason.NOT_FINITE)).isEqualTo(3);
        assertThat(look.translator().metrics().used()).isEqualTo(3);
    }

    @Test
    void a_histogram_is_measured_by_what_came_on_top() {
        look.at(look.histogram("t_seconds", BOUNDS, new double[]{1_000, 0, 0, 0}, 1));

        Map<String, Double> measured = look
                .at(look.histogram("t_seconds", BOUNDS, new double[]{1_000, 90, 10, 0}, 41));

        assertThat(measured).containsOnlyKeys("t_seconds.rate", "t_seconds.mean", "t_seconds.p50", "t_seconds.p90",
                "t_seconds.p95", "t_seconds.p99");
        assertThat(measured).containsEntry("t_seconds.rate", 10.0);
        assertThat(measured.get("t_seconds.mean")).isCloseTo(0.4, within(1e-9));
        assertThat(measured.get("t_seconds.p50")).isCloseTo(0.1 + 0.4 * 50 / 90, within(1e-9));
        assertThat(measured.get("t_seconds.p95")).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void a_bucket_that_falls_while_the_service_reads_it_is_no_new_begin() {
        look.at(look.histogram("t_seconds", BOUNDS, new double[]{1_000_000, 5, 0, 0}, 1));

        Map<String, Double> measured = look
                .at(look.histogram("t_seconds", BOUNDS, new double[]{1_000_101, 4, 0, 0}, 11));

        assertThat(measured).containsEntry("t_seconds.rate", 10.0).containsEntry("t_seconds.mean", 0.1);
        assertThat(measured.get("t_seconds.p99")).isBetween(0.0, 0.1);
        assertThat(look.translator().metrics().resets()).isZero();
        assertThat(look.at(look.histogram("t_seconds", BOUNDS, new double[]{50, 0, 0, 0}, 1)))
                .containsEntry("t_seconds.rate", 5.0);
        assertThat(look.translator().metrics().resets()).isEqualTo(1);
    }

    @Test
    void an_exponential_bucket_may_fall_too() {
        MetricSeries series = MetricSeries.named("t_seconds", "", Labels.NONE);
        double[][] counts = {{1_000_000, 5}, {1_000_101, 4}};
        Map<String, Double> measured = Map.of();
        for (double[] now : counts) {
            measured = look.at(new MetricPoint.Histogram(series, null, look.now(), false, ExponentialBuckets.of(0, 0, 0,
                    ExponentialBuckets.Side.of(0, now), ExponentialBuckets.Side.NONE, 1), Double.NaN));
        }

        assertThat(measured.get("t_seconds.rate")).isCloseTo(10, within(0.11));
        assertThat(look.translator().metrics().resets()).isZero();
    }

    @Test
    void a_histogram_in_milliseconds_is_measured_in_seconds() {
        MetricSeries timer = MetricSeries.named("http.server.requests", "ms", Labels.NONE);
        var increase = new MetricPoint.Histogram(timer, look.now().minusSeconds(10), look.now(), true,
                ExplicitBuckets.of(new double[]{100, 500}, new double[]{0, 20, 0}, 6_000), 450);

        assertThat(look.at(increase)).containsEntry("http_server_requests_seconds.rate", 2.0)
                .containsEntry("http_server_requests_seconds.mean", 0.3)
                .containsEntry("http_server_requests_seconds.p50", 0.3)
                .containsEntry("http_server_requests_seconds_max", 0.45);
        assertThat(look.translator().metrics().used()).isEqualTo(1);
    }

    @Test
    void a_quiet_histogram_has_a_rate_of_zero_and_neither_mean_nor_quantiles() {
        look.at(look.histogram("t_seconds", BOUNDS, new double[]{5, 5, 0, 0}, 3));

        assertThat(look.at(look.histogram("t_seconds", BOUNDS, new double[]{5, 5, 0, 0}, 3)))
                .containsExactly(entry("t_seconds.rate", 0.0));
    }

    @Test
    void a_histogram_whose_buckets_change_is_begun_anew_and_counted() {
        look.at(look.histogram("t_seconds", BOUNDS, new double[]{5, 5, 0, 0}, 3));

        assertThat(look.at(look.histogram("t_seconds", new double[]{1, 2}, new double[]{50, 5, 0}, 3))).isEmpty();
        assertThat(look.at(look.histogram("t_seconds", new double[]{1, 2}, new double[]{60, 5, 0}, 8)))
                .containsEntry("t_seconds.rate", 1.0).containsEntry("t_seconds.mean", 0.5);
        assertThat(look.translator().metrics().rebuilt()).isEqualTo(1);
    }

    @Test
    void a_counter_and_a_gauge_of_the_same_name_do_not_disturb_each_other() {
        look.at(look.total("x_total", 5), look.level("x", Map.of(), 7));

        assertThat(look.at(look.total("x_total", 15), look.level("x", Map.of(), 8)))
                .containsOnly(entry("x.rate", 1.0), entry("x", 8.0));
    }

    @Test
    void quantiles_that_a_service_works_out_itself_are_taken_as_they_are() {
        MetricSeries series = MetricSeries.named("rpc_seconds", "", Labels.NONE);
        var quantiles = new TreeMap<>(Map.of(0.5, 0.2, 0.99, 0.9, 0.999, Double.NaN));
        look.at(new MetricPoint.Summary(series, null, look.now(), 100, 20, quantiles));

        assertThat(look.at(new MetricPoint.Summary(series, null, look.now(), 200, 60, quantiles))).containsOnly(
                entry("rpc_seconds.rate", 10.0), entry("rpc_seconds.mean", 0.4), entry("rpc_seconds.p50", 0.2),
                entry("rpc_seconds.p99", 0.9));
    }

    @Test
    void a_point_that_is_not_newer_is_not_counted_twice() {
        MetricPoint first = look.total("orders_total", 10);
        look.at(first);

        assertThat(look.at(first)).isEmpty();
        assertThat(look.translator().metrics().dropped(PointDropReason.UNCHANGED)).isEqualTo(1);
        assertThat(look.translator().problems(look.now())).isEmpty();
    }

    @Test
    void a_level_that_was_collected_in_the_background_holds_until_the_next_one() {
        MetricPoint.Level first = new MetricPoint.Level(MetricSeries.named("queue", "", Labels.NONE),
                look.now().minusSeconds(8), 4);

        // It is not collected again before the third look.
        for (int seconds = 8; seconds <= 28; seconds += 10) {
            assertThat(look.translate(first)).singleElement().satisfies(measured -> {
                assertThat(measured.value()).isEqualTo(4);
                assertThat(measured.to()).isEqualTo(first.time());
                assertThat(measured.to().plus(measured.hold())).as("held until after the next look")
                        .isEqualTo(look.now().minusSeconds(10).plus(Look.HOLD));
            });
        }
        assertThat(look.translator().problems(look.now())).isEmpty();
    }

    @Test
    void a_point_that_is_too_old_is_reported_with_its_age_and_no_longer_after_the_next_good_one() {
        MetricSeries queue = MetricSeries.named("queue", "", Labels.NONE);
        assertThat(look.translate(new MetricPoint.Level(queue, look.now().minusSeconds(312), 4))).isEmpty();
        assertThat(look.translator().metrics().dropped(PointDropReason.TOO_OLD)).isEqualTo(1);
        assertThat(look.translator().problems(look.now()).values()).singleElement().asString()
                .contains("values of 312 s ago are not used");
        assertThat(look.at(new MetricPoint.Level(queue, look.now().minusSeconds(8), 5)))
                .containsExactly(entry("queue", 5.0));
        assertThat(look.translator().problems(look.now())).isEmpty();
    }

    @Test
    void after_a_point_that_came_out_of_order_the_next_good_look_ends_the_complaint() {
        MetricSeries queue = MetricSeries.named("queue", "", Labels.NONE);
        look.at(new MetricPoint.Level(queue, look.now(), 4));
        look.at(new MetricPoint.Level(queue, look.now().minusSeconds(30), 4));
        assertThat(look.translator().problems(look.now())).isNotEmpty();
        look.at(new MetricPoint.Level(queue, look.now(), 4));
        assertThat(look.translator().problems(look.now())).isEmpty();
    }

    @Test
    void a_clock_that_was_an_hour_ahead_and_is_set_right_stops_nothing() {
        look.pass(Duration.ofHours(1));
        look.at(look.total("orders_total", 10));
        look.pass(Duration.ofHours(-1));
        look.at(look.total("orders_total", 20));

        assertThat(look.at(look.total("orders_total", 30))).containsExactly(entry("orders.rate", 1.0));
    }

    @Test
    void a_million_label_values_take_no_more_than_the_bound_and_disturb_no_known_series() {
        IntStream.range(0, 1_000_000).forEach(number -> look.translator().translate(Look.SHOP,
                List.of(look.level("flood", Map.of("id", "" + number), number)), look.now(), Look.HOLD));

        assertThat(look.translator().series()).isEqualTo(500);
        assertThat(look.translator().metrics().dropped(PointDropReason.TOO_MANY_NAMES)).isEqualTo(999_500);
        assertThat(look.translator().refused().get(Look.SHOP)).hasSize(5).first().asString()
                .startsWith("flood{id=\"");
        assertThat(look.at(look.level("process_cpu_usage", Map.of(), 0.5))).containsExactly(entry("cpu", 0.5));
    }

    @Test
    void series_without_new_points_make_room_for_others() {
        Look small = new Look(new CustomGaugeSettings(List.of("*"), 2, 10, Duration.ofMinutes(5)));
        small.at(small.level("a", Map.of(), 1), small.level("b", Map.of(), 1));
        small.pass(Duration.ofMinutes(6));

        assertThat(small.at(small.level("c", Map.of(), 1), small.level("d", Map.of(), 1))).containsOnlyKeys("c", "d");
    }

    @Test
    void instances_are_bounded_too() {
        Look small = new Look(new CustomGaugeSettings(List.of("*"), 2, 1, Duration.ofMinutes(5)));
        small.at(small.level("a", Map.of(), 1));

        assertThat(small.translator().translate(new InstanceId("shop", "other:1"),
                List.of(small.level("a", Map.of(), 1)), small.now(), Look.HOLD)).isEmpty();
        assertThat(small.translator().metrics().dropped(PointDropReason.TOO_MANY_INSTANCES)).isEqualTo(1);
        assertThat(small.translator().problems(small.now()).toString()).contains("other:1", "max-instances");
    }

    @Test
    void only_what_is_asked_for_becomes_a_custom_gauge() {
        Look some = new Look(new CustomGaugeSettings(List.of("orders*", "*_depth"), 500, 10, Duration.ofMinutes(5)));

        assertThat(some.at(some.level("orders_open", Map.of(), 1), some.level("queue_depth", Map.of(), 2),
                some.level("noise", Map.of(), 3), some.level("process_cpu_usage", Map.of(), 0.5)))
                .containsOnlyKeys("orders_open", "queue_depth", "cpu");
        assertThat(some.translator().metrics().dropped(PointDropReason.NOT_INCLUDED)).isEqualTo(1);
    }

    @Test
    void a_services_own_metric_is_never_taken_for_a_rules_or_a_diagnosis_one() {
        assertThat(look.at(look.level("cpu", Map.of(), 57), look.level("memory", Map.of(), 2e9),
                look.level("qps", Map.of(), 1), look.total("gc_total", 5),
                look.histogram("latency", BOUNDS, new double[]{1, 0, 0, 0}, 1))).isEmpty();

        assertThat(look.at(look.level("cpu", Map.of(), 57), look.total("gc_total", 15),
                look.histogram("latency", BOUNDS, new double[]{9, 0, 0, 0}, 2),
                look.level("cpu", Map.of("core", "3"), 0.5), look.level("process_cpu_usage", Map.of(), 0.25)))
                .containsOnly(entry("cpu", 0.25), entry("cpu{core=\"3\"}", 0.5));
        assertThat(look.translator().metrics().dropped(PointDropReason.RESERVED_NAME)).isEqualTo(8);
        assertThat(look.translator().refused().get(Look.SHOP)).contains("cpu", "gc", "latency");
    }

    @Test
    void every_known_measurement_has_a_reserved_name() {
        assertThat(MappedGauge.values()).filteredOn(meaning -> meaning.way() != MappedGauge.Way.COLLECTIONS)
                .allMatch(meaning -> ReservedGaugeNames.contains(meaning.gauge()));
        assertThat(List.of("latency.p99", "latency.p9999", "gc.pause", "gc.time", "gc.rate", "cpu[3]"))
                .allMatch(ReservedGaugeNames::contains);
        assertThat(List.of("orders", "latency_seconds.p99", "x{a=\"cpu[\"}", "cpu_total"))
                .noneMatch(ReservedGaugeNames::contains);
    }

    @Test
    void what_was_rejected_lately_is_reported_and_later_forgotten() {
        look.at(look.level("process_cpu_usage", Map.of(), -1));
        assertThat(look.translator().problems(look.now())).isEmpty();

        look.at(look.level("cpu", Map.of(), 57), look.level("a", Map.of(), Double.NaN));

        assertThat(look.translator().problems(look.now())).containsEntry(Look.SHOP.toString(),
                "not all of it is measured: not_finite, reserved_name, such as [cpu]");
        assertThat(look.translator().metrics().dropped())
                .isEqualTo(Map.of("not_known", 1L, "not_finite", 1L, "reserved_name", 1L));
        look.pass(Duration.ofMinutes(6));
        assertThat(look.translator().problems(look.now())).isEmpty();
    }

    @Test
    void a_name_of_kilobytes_is_refused() {
        assertThat(look.at(look.level("a", Map.of("b", "x".repeat(5_000)), 1))).isEmpty();
        assertThat(look.translator().metrics().dropped(PointDropReason.NAME_TOO_LONG)).isEqualTo(1);
    }
}
