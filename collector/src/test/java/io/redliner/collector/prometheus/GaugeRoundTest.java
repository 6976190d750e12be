// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.prometheus.QueryResponse.Series;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaugeRoundTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private static final Duration MAX_AGE = Duration.ofSeconds(36);

    private static final Duration HOLD = Duration.ofSeconds(20);

    private static final InstanceId ONE = new InstanceId("shop", "10.0.0.1:8080");

    private static final InstanceId TWO = new InstanceId("shop", "10.0.0.2:8080");

    /** On the host of {@link #TWO}. */
    private static final InstanceId NEIGHBOUR = new InstanceId("pay", "10.0.0.2:9090");

    private final Map<PromQuery, GaugeRound.Distrust> distrusted = new HashMap<>();

    private final GaugeRound round = round(NOW);

    private GaugeRound round(Instant evaluated) {
        Map<InstanceId, List<String>> machines = new LinkedHashMap<>();
        machines.put(ONE, List.of("node-a"));
        machines.put(TWO, List.of("node-b"));
        machines.put(NEIGHBOUR, List.of("node-b"));
        return new GaugeRound(machines, evaluated, MAX_AGE, HOLD, distrusted);
    }

    private static PromQuery query(String gauge) {
        return query(gauge, "(.*)", "$1", false);
    }

    private static PromQuery query(String gauge, String regex, String replacement, boolean host) {
        return new PromQuery(gauge, "some_metric", "", List.of("instance", "nodename"), regex, replacement, host,
                false);
    }

    private static Series series(String instance, double value) {
        return new Series(Map.of("instance", instance), value);
    }

    private static List<Series> at(Instant time, String... instances) {
        return List.of(instances).stream().map(instance -> series(instance, time.toEpochMilli() / 1e3)).toList();
    }

    @Test
    void a_gauge_is_of_the_time_of_its_own_sample_and_valid_until_that_is_too_old() {
        Instant scraped = NOW.minusMillis(7_250);

        round.add(query("queue_depth"), List.of(series(ONE.instance(), 12), series(TWO.instance(), 3)),
                at(scraped, ONE.instance(), TWO.instance()));

        assertThat(round.measured()).containsExactly(
                new GaugeMeasurement(ONE, "queue_depth", 12, scraped, scraped, HOLD),
                new GaugeMeasurement(TWO, "queue_depth", 3, scraped, scraped, HOLD));
        assertThat(round.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"37000, is older than 36 s; does the server still scrape it", "-11000, ahead of the collector's clock"})
    void a_sample_that_is_stale_or_of_the_future_is_no_value(long ageMillis, String problem) {
        round.add(query("queue_depth"), List.of(series(ONE.instance(), 12)),
                at(NOW.minusMillis(ageMillis), ONE.instance()));

        assertThat(round.measured()).isEmpty();
        assertThat(String.join("\n", round.problems())).contains("queue_depth of " + ONE, problem);
    }

    @Test
    void the_oldest_of_the_samples_behind_a_value_counts() {
        round.add(query("queue_depth"), List.of(series(ONE.instance(), 12)), List.of(
                series(ONE.instance(), NOW.getEpochSecond() - 1.0),
                series(ONE.instance(), NOW.getEpochSecond() - 50.0)));

        assertThat(round.measured()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"NaN", "0", "0.5", "1.8e15"})
    void without_a_time_that_can_be_there_is_no_value(double time) {
        round.add(query("queue_depth"), List.of(series(ONE.instance(), 12)), List.of(series(ONE.instance(), time)));
        round.add(query("other"), List.of(series(ONE.instance(), 12)), List.of());

        assertThat(round.measured()).isEmpty();
        assertThat(String.join("\n", round.problems())).contains("queue_depth of", "other of",
                "has no sample whose time is known; see time of the query");
    }

    @ParameterizedTest
    @CsvSource({"cpu, NaN, no finite number", "queue_depth, Infinity, no finite number",
        "cpu, 87, divide percent by 100",
        "memory[heap], 1.3, is above 1", "gc.pause, 61, is above 60, which cannot be; let the query give seconds",
        "downstream.latency[db], 1200, is above 600",
        "process.uptime, 4e8, is above 315360000", "net.tx, 2e12, is above 1000000000000", "net.tx, -1, below 0",
        "pool.waiting, -0.5, below 0"})
    void a_number_that_cannot_be_is_no_value(String gauge, double value, String problem) {
        round.add(query(gauge), List.of(series(ONE.instance(), value)), at(NOW, ONE.instance()));

        assertThat(round.measured()).isEmpty();
        assertThat(String.join("\n", round.problems())).contains(problem);
    }

    @Test
    void one_value_in_percent_leaves_the_whole_query_without_values_for_minutes() {
        PromQuery percent = query("cpu");
        round.add(percent, List.of(series(ONE.instance(), 1), series(TWO.instance(), 87)),
                at(NOW, ONE.instance(), TWO.instance()));
        // Another query for the gauge does not stand in, and another gauge has values.
        round.add(query("cpu", "(.*)", "$1", true), List.of(series(ONE.instance(), 0.3)), at(NOW, ONE.instance()));
        round.add(query("memory"), List.of(series(ONE.instance(), 0.4)), at(NOW, ONE.instance()));

        assertThat(round.measured()).extracting(GaugeMeasurement::name).containsExactly("memory");
        assertThat(round.problems()).contains("cpu of " + TWO
                + " is above 1, and 1 is all there is; divide percent by 100, or by what may be used; no value of the"
                + " query counts for 10 min");

        Instant idle = NOW.plus(GaugeRound.DISTRUST).minusSeconds(1);
        GaugeRound later = round(idle);
        later.add(percent, List.of(series(ONE.instance(), 1)), at(idle, ONE.instance()));
        assertThat(later.measured()).isEmpty();
        assertThat(String.join("\n", later.problems())).contains("divide percent by 100");

        Instant mended = NOW.plus(GaugeRound.DISTRUST);
        GaugeRound last = round(mended);
        last.add(percent, List.of(series(ONE.instance(), 0.01)), at(mended, ONE.instance()));
        assertThat(last.measured()).hasSize(1);
    }

    @Test
    void a_value_is_not_held_into_a_later_load() {
        Instant scraped = NOW.minus(HOLD);

        round.add(query("gc.pause"), List.of(series(ONE.instance(), 0.2), series(TWO.instance(), 0.1)), List.of(
                series(ONE.instance(), (double) scraped.getEpochSecond()),
                series(TWO.instance(), scraped.getEpochSecond() + 1.0)));

        assertThat(round.measured()).containsExactly(new GaugeMeasurement(TWO, "gc.pause", 0.1, scraped.plusSeconds(1),
                scraped.plusSeconds(1), HOLD));
    }

    @Test
    void a_label_that_is_long_or_moves_the_cursor_fits_a_line() {
        String label = "evil\u001b[2J\r\n" + "x".repeat(5_000);

        round.add(query("cpu"), List.of(series(label, 0.5)), at(NOW, label));

        assertThat(round.problems()).singleElement().asString().hasSizeLessThan(400).contains("evil [2J  xxx")
                .doesNotContain("\u001b", "\n");
    }

    @Test
    void a_rate_a_little_above_the_whole_and_a_custom_gauge_below_zero_are_values() {
        round.add(query("cpu"), List.of(series(ONE.instance(), 1.02)), at(NOW, ONE.instance()));
        round.add(query("balance"), List.of(series(ONE.instance(), -4)), at(NOW, ONE.instance()));

        assertThat(round.measured()).extracting(GaugeMeasurement::value).containsExactly(1.02, -4.0);
    }

    @Test
    void two_series_for_one_instance_are_no_value() {
        round.add(query("cpu"), List.of(series(ONE.instance(), 0.2), series(ONE.instance(), 0.4),
                series(TWO.instance(), 0.3)), at(NOW, ONE.instance(), TWO.instance()));

        assertThat(round.measured()).extracting(GaugeMeasurement::instanceId).containsExactly(TWO);
        assertThat(String.join("\n", round.problems())).contains("cpu of " + ONE, "has several series",
                "max by (instance)");
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1:8080, (.*), $1", "10.0.0.1, (.*), $1", "node-a, (.*), $1",
        "shop-1.eu:80, shop-(.)[.].*, 10.0.0.$1:8080",
        "10.0.0.1:8081, (.*):8081, $1:8080"})
    void an_instance_is_found_by_address_host_machine_and_pattern(String label, String regex, String replacement) {
        round.add(query("cpu", regex, replacement, false), List.of(series(label, 0.5)), at(NOW, label));

        assertThat(round.measured()).extracting(GaugeMeasurement::instanceId).containsExactly(ONE);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.2:9100, (.*), $1", "10.0.0.2, (.*), $1", "node-b, (.*), $1", "10.0.0.1:9999, (.*), $1",
        "10.0.0.3:8080, (.*), $1", "10.0.0.1:8080, other(.*), $1"})
    void no_instance_is_guessed(String label, String regex, String replacement) {
        round.add(query("cpu", regex, replacement, false), List.of(series(label, 0.5)), at(NOW, label));

        assertThat(round.measured()).isEmpty();
        assertThat(String.join("\n", round.problems()))
                .contains("none of the series is of one known instance; instance is,"
                        + " for example, '" + label + "'", "set labels, regex and replacement");
    }

    @Test
    void another_program_on_the_host_does_not_disturb_the_instances_own_series() {
        round.add(query("cpu"), List.of(series("10.0.0.1:9999", 0.97), series("10.0.0.1", 0.8), series(ONE.instance(),
                0.2)), at(NOW, "10.0.0.1:9999", "10.0.0.1", ONE.instance()));

        assertThat(round.measured()).containsExactly(new GaugeMeasurement(ONE, "cpu", 0.2, NOW, NOW, HOLD));
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.2:9100", "10.0.0.2:8080", "node-b"})
    void a_value_of_a_host_is_of_each_instance_there(String label) {
        round.add(query("cpu", "(.*)", "$1", true), List.of(series(label, 0.5)), at(NOW, label));

        assertThat(round.measured()).extracting(GaugeMeasurement::instanceId).containsExactly(TWO, NEIGHBOUR);
    }

    @Test
    void the_second_label_names_the_machine_when_the_first_names_nothing_known() {
        Series named = new Series(Map.of("instance", "exporter:9100", "nodename", "node-a"), 0.5);
        Series time = new Series(named.labels(), (double) NOW.getEpochSecond());

        round.add(query("cpu", "(.*)", "$1", true), List.of(named), List.of(time));

        assertThat(round.measured()).extracting(GaugeMeasurement::instanceId).containsExactly(ONE);
    }

    @Test
    void of_two_queries_for_a_gauge_the_first_counts_also_when_its_value_is_none() {
        round.add(query("cpu"), List.of(series(ONE.instance(), Double.NaN)), at(NOW, ONE.instance()));
        round.add(query("cpu"), List.of(series(ONE.instance(), 0.1), series(TWO.instance(), 0.2)),
                at(NOW, ONE.instance(), TWO.instance()));

        assertThat(round.measured()).extracting(GaugeMeasurement::instanceId).containsExactly(TWO);
    }

    @Test
    void after_a_query_that_failed_another_one_for_the_gauge_does_not_stand_in() {
        round.failed(query("cpu"), "answers with the status 422: many-to-many");
        round.add(query("cpu"), List.of(series(ONE.instance(), 0.1)), at(NOW, ONE.instance()));

        assertThat(round.measured()).isEmpty();
        assertThat(round.problems()).containsExactly("cpu: the server answers with the status 422: many-to-many");
    }

    @Test
    void an_instance_without_a_series_is_named_when_another_of_its_service_has_one() {
        round.add(query("cpu"), List.of(series(ONE.instance(), 0.1)), at(NOW, ONE.instance()));

        assertThat(round.problems())
                .containsExactly("cpu of " + TWO + " has no series, and others of the service have one");
    }

    @Test
    void a_query_without_a_series_is_named_unless_nothing_is_known_yet() {
        round.add(query("cpu"), List.of(), List.of());
        GaugeRound empty = new GaugeRound(Map.of(), NOW, MAX_AGE, HOLD, new HashMap<>());
        empty.add(query("cpu"), List.of(series(ONE.instance(), 0.1)), at(NOW, ONE.instance()));

        assertThat(round.problems()).containsExactly(
                "cpu: the server has no series; try the query in its expression browser");
        assertThat(empty.problems()).isEmpty();
    }
}
