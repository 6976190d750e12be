// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;

/** What holds of merging whatever is merged: histograms of all ranges and precisions too. */
@PropertyDefaults(tries = Tries.DEFAULT)
class MergingPropertiesTest {

    /** Of the precision that latencies are kept in. */
    private static final Histogram OURS = new Histogram(86_400_000_000L, 3);

    private static final double[] PERCENTILES = {0, 10, 50, 90, 99, 99.9, 100};

    @Property
    void the_order_of_merging_does_not_matter(@ForAll @Size(min = 1, max = 6) List<@From("parts") WindowStats> parts,
            @ForAll Random random) {
        var shuffled = new ArrayList<>(parts);
        Collections.shuffle(shuffled, random);

        same(WindowStats.mergeInstances(shuffled), WindowStats.mergeInstances(parts));
        same(WindowStats.concatenate(shuffled), WindowStats.concatenate(parts));
    }

    @Property
    void merging_is_associative(@ForAll("parts") WindowStats a, @ForAll("parts") WindowStats b,
            @ForAll("parts") WindowStats c) {
        same(WindowStats.mergeInstances(List.of(WindowStats.mergeInstances(List.of(a, b)), c)),
                WindowStats.mergeInstances(List.of(a, WindowStats.mergeInstances(List.of(b, c)))));
        same(WindowStats.concatenate(List.of(WindowStats.concatenate(List.of(a, b)), c)),
                WindowStats.concatenate(List.of(a, b, c)));
    }

    @Property
    void nothing_is_lost_or_counted_twice(@ForAll @Size(min = 1, max = 6) List<@From("parts") WindowStats> parts) {
        var merged = WindowStats.mergeInstances(parts);

        assertThat(merged.started()).isEqualTo(parts.stream().mapToLong(WindowStats::started).sum());
        assertThat(merged.completed()).isEqualTo(parts.stream().mapToLong(WindowStats::completed).sum());
        assertThat(merged.errors()).isEqualTo(parts.stream().mapToLong(WindowStats::errors).sum());
        assertThat(merged.timeouts()).isEqualTo(parts.stream().mapToLong(WindowStats::timeouts).sum());
        assertThat(merged.latency().getTotalCount())
                .isEqualTo(parts.stream().mapToLong(part -> part.latency().getTotalCount()).sum());
        assertThat(merged.overdue().stream().mapToLong(OverdueRequests::newlyOverdue).sum()).isEqualTo(
                parts.stream().flatMap(part -> part.overdue().stream()).mapToLong(OverdueRequests::newlyOverdue).sum());
    }

    @Property
    void percentiles_of_the_whole_lie_between_those_of_the_parts(@ForAll("parts") WindowStats a,
            @ForAll("parts") WindowStats b) {
        var merged = WindowStats.mergeInstances(List.of(a, b)).latency();

        for (double percentile : PERCENTILES) {
            long ofA = a.latency().getValueAtPercentile(percentile);
            long ofB = b.latency().getValueAtPercentile(percentile);
            assertThat(merged.getValueAtPercentile(percentile)).as("p%s", percentile).isBetween(Math.min(ofA, ofB),
                    Math.max(ofA, ofB));
        }
    }

    @Property
    void a_histogram_of_another_precision_keeps_its_requests_on_their_side_of_a_limit(
            @ForAll("histograms") Histogram given) {
        var converted = measured(given, 0.5, 1).latency();

        assertThat(converted.getTotalCount()).isEqualTo(given.getTotalCount());
        for (long limit : new long[]{1_000, 200_000, 5_000_000}) {
            // The values in a coarse bucket around the limit cannot be distinguished, before or after.
            long below = Math.min(given.lowestEquivalentValue(limit), OURS.lowestEquivalentValue(limit)) - 1;
            long upTo = Math.max(given.highestEquivalentValue(limit), OURS.highestEquivalentValue(limit));
            long surely = given.getCountBetweenValues(0, Math.max(0, below));
            long perhaps = given.getCountBetweenValues(0, Math.min(given.getMaxValue(), upTo));
            long within = limit >= converted.getMaxValue()
                    ? converted.getTotalCount()
                    : converted.countAtOrBelow(limit);
            assertThat(within).isBetween(Math.min(surely, perhaps), Math.max(surely, perhaps));
        }
    }

    private static void same(WindowStats one, WindowStats other) {
        assertThat(one.latency()).isEqualTo(other.latency());
        assertThat(List.of(one.length(), one.started(), one.completed(), one.errors(), one.timeouts(), one.overdue()))
                .isEqualTo(List.of(other.length(), other.started(), other.completed(), other.errors(),
                        other.timeouts(), other.overdue()));
        assertThat(one.gauges().keySet()).isEqualTo(other.gauges().keySet());
        if (one.length().equals(other.length()) && one.gauges().containsKey("cpu")) {
            assertThat(one.gauges().get("cpu")).isBetween(0.0, 1.0);
        }
        for (double percentile : PERCENTILES) {
            assertThat(one.latency().getValueAtPercentile(percentile))
                    .isEqualTo(other.latency().getValueAtPercentile(percentile));
        }
    }

    private static WindowStats measured(Histogram latency, double cpu, long hanging) {
        long count = latency.getTotalCount();
        return new WindowStats(Duration.ofSeconds(1), count + 1, count, count / 3, count / 5, latency,
                List.of(new OverdueRequests(Duration.ofMillis(200), hanging, hanging / 2)), Map.of("cpu", cpu));
    }

    @Provide
    Arbitrary<WindowStats> parts() {
        return Combinators.combine(histograms(), Arbitraries.doubles().between(0, 1), Arbitraries.longs().between(0, 9))
                .as(MergingPropertiesTest::measured);
    }

    @Provide
    Arbitrary<Histogram> histograms() {
        var precision = Arbitraries.integers().between(1, 5);
        var unit = Arbitraries.of(1L, 1L, 1L, 7L, 1000L);
        var highest = Arbitraries.of(10_000L, 1_000_000L, 86_400_000_000L);
        var values = Arbitraries.longs().between(0, 10_000_000).list().ofMinSize(1).ofMaxSize(60);
        return Combinators.combine(unit, highest, precision, Arbitraries.of(true, false), values)
                .as((lowest, most, digits, resizing, micros) -> {
                    var histogram = new Histogram(lowest, most, digits);
                    histogram.setAutoResize(resizing);
                    micros.forEach(value -> histogram.recordValue(resizing ? value : Math.min(value, most)));
                    return histogram;
                });
    }
}
