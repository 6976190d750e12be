// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import static io.redliner.analyzer.windowing.Observations.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** What holds of windows whatever the network does to the observations. */
class WindowPropertiesTest {

    private static final WindowStats SAME = requests(100, 10);

    private static final long LENGTH = 1_000;

    private static final long GRACE = 500;

    private static final int WINDOWS = 12;

    private static final List<String> COLLECTORS = List.of("c", "d");

    private static final List<String> INSTANCES = List.of("a:1", "b:1", "e:1");

    /** An observation on its way. */
    private record Delivery(InstanceObservation observation, long atMillis) {}

    @Property(tries = 400)
    void each_window_is_closed_once_and_in_order_and_every_observation_is_accounted_for(@ForAll Random random,
            @ForAll @DoubleRange(max = 0.3) double lost, @ForAll @DoubleRange(max = 0.3) double doubled,
            @ForAll @IntRange(max = 4_000) int slowest, @ForAll boolean aheadOfTime) {
        var deliveries = new ArrayList<Delivery>();
        for (var observation : sent(aheadOfTime)) {
            for (int copies = random.nextDouble() < lost
                    ? 0
                    : random.nextDouble() < doubled ? 2 : 1; copies > 0; copies--) {
                deliveries.add(new Delivery(observation, ended(observation) + random.nextInt(slowest + 1)));
            }
        }

        var results = new EnumMap<IngestResult, Integer>(IngestResult.class);
        var closed = deliver(deliveries, results);

        assertThat(closed).extracting(ServiceWindow::startMillis).containsExactlyElementsOf(
                LongStream.range(0, closed.size()).map(i -> i * LENGTH).boxed().toList());
        assertThat(closed).hasSizeGreaterThanOrEqualTo(WINDOWS);
        assertThat(results.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(deliveries.size());
        long counted = closed.stream().flatMap(window -> window.all().stream()).mapToLong(WindowStats::started).sum();
        assertThat(counted).isEqualTo(100L * results.getOrDefault(IngestResult.ACCEPTED, 0));
    }

    @Property(tries = 4000)
    void no_observation_is_counted_twice_and_none_that_was_lost_goes_unnoticed(@ForAll Random random,
            @ForAll @DoubleRange(min = 0.01, max = 0.3) double lost) {
        var deliveries = new ArrayList<Delivery>();
        Map<String, Set<Long>> received = new HashMap<>();
        var lacking = new ArrayList<InstanceObservation>();
        for (var observation : sent(false)) {
            if (random.nextDouble() < lost) {
                lacking.add(observation);
            } else {
                received.computeIfAbsent(observation.collector(), unused -> new HashSet<>()).add(
                        observation.windowStartMillis());
                deliveries.add(new Delivery(observation, ended(observation) + random.nextInt(100)));
            }
        }
        // A collector of which nothing came for two windows is as one that has ended, or has not begun: it is not
        // waited for.
        var noticed = new HashSet<Long>();
        for (var observation : lacking) {
            long start = observation.windowStartMillis();
            var windows = received.getOrDefault(observation.collector(), Set.of());
            if (windows.contains(start - LENGTH) || windows.contains(start - 2 * LENGTH)) {
                noticed.add(start);
            }
        }

        var closed = deliver(deliveries, new EnumMap<>(IngestResult.class));

        // In the first two nobody is expected yet, and of what was lost last nothing tells.
        assertThat(closed)
                .filteredOn(
                        window -> window.startMillis() >= 2 * LENGTH && window.startMillis() < (WINDOWS - 1) * LENGTH)
                .filteredOn(window -> noticed.contains(window.startMillis()))
                .allSatisfy(window -> assertThat(window.whole() && !window.instances().isEmpty()).isFalse());
    }

    @Property(tries = 400)
    void in_whatever_order_observations_come_within_the_grace_the_windows_are_the_same(@ForAll Random random,
            @ForAll @DoubleRange(max = 0.3) double doubled) {
        var sent = sent(false);
        var inOrder = sent.stream().map(observation -> new Delivery(observation, ended(observation))).toList();
        var shuffled = new ArrayList<Delivery>();
        for (var observation : sent) {
            for (int copies = random.nextDouble() < doubled ? 2 : 1; copies > 0; copies--) {
                shuffled.add(new Delivery(observation, ended(observation) + random.nextInt((int) GRACE)));
            }
        }
        Collections.shuffle(shuffled, random);

        assertThat(deliver(shuffled, new EnumMap<>(IngestResult.class)))
                .isEqualTo(deliver(inOrder, new EnumMap<>(IngestResult.class)));
    }

    @Property(tries = 4000)
    void a_takeover_changes_no_window_that_is_closed_after_it(@ForAll Random random,
            @ForAll @DoubleRange(max = 0.3) double lost, @ForAll @IntRange(max = 2_000) int slowest,
            @ForAll @IntRange(min = 1, max = WINDOWS) int takenOverAfter) {
        var deliveries = delivered(random, lost, slowest);
        var windows = new ServiceWindowAggregator(Duration.ofMillis(LENGTH), Duration.ofMillis(GRACE));
        windows.expect(Instant.EPOCH);
        var read = new ArrayList<Delivery>();
        long takeover = takenOverAfter * LENGTH;
        deliveries.stream().filter(delivery -> delivery.atMillis() <= takeover).forEach(delivery -> {
            var at = Instant.ofEpochMilli(delivery.atMillis());
            windows.close(at);
            if (windows.add(delivery.observation(), at) == IngestResult.ACCEPTED) {
                read.add(delivery);
            }
        });
        windows.close(Instant.ofEpochMilli(takeover));
        var others = new ServiceWindowAggregator(Duration.ofMillis(LENGTH), Duration.ofMillis(GRACE));
        others.resume(windows.state());
        read.stream()
                .filter(delivery -> delivery.observation().windowStartMillis() >= windows.nextStart().orElseThrow())
                .forEach(delivery -> others.add(delivery.observation(), Instant.ofEpochMilli(takeover)));

        assertThat(others.state()).isEqualTo(windows.state());
        deliveries.stream().filter(delivery -> delivery.atMillis() > takeover).forEach(delivery -> {
            var at = Instant.ofEpochMilli(delivery.atMillis());
            assertThat(others.close(at)).isEqualTo(windows.close(at));
            others.add(delivery.observation(), at);
            windows.add(delivery.observation(), at);
        });
        var end = Instant.ofEpochMilli((WINDOWS + 6) * LENGTH);
        assertThat(others.close(end)).isEqualTo(windows.close(end));
    }

    /** In their order, by collectors with all, some or none of their proxies, of which one may be slow. */
    private static List<Delivery> delivered(Random random, double lost, int slowest) {
        var deliveries = new ArrayList<Delivery>();
        for (var observation : sent(false)) {
            if (random.nextDouble() >= lost) {
                int streams = random.nextInt(3);
                var measured = streams == 0 ? requests(0, 0) : observation.measurements().measured();
                deliveries.add(new Delivery(new InstanceObservation(observation.collector(), observation.sequence(),
                        observation.instance(), observation.windowStartMillis(),
                        new InstanceMeasurements(measured, 0), streams, "", List.of()),
                        ended(observation) + (observation.collector().equals("c") ? slowest : 0)));
            }
        }
        deliveries.sort(Comparator.comparingLong(Delivery::atMillis));
        return deliveries;
    }

    /** In the order of their arrival, with a look at the windows after each and now and then in between. */
    private static List<ServiceWindow> deliver(List<Delivery> deliveries, Map<IngestResult, Integer> results) {
        var windows = new ServiceWindowAggregator(Duration.ofMillis(LENGTH), Duration.ofMillis(GRACE));
        windows.expect(Instant.EPOCH);
        var closed = new ArrayList<ServiceWindow>();
        var waiting = new ArrayList<>(deliveries);
        waiting.sort(Comparator.comparingLong(Delivery::atMillis));
        for (long now = 0; now <= (WINDOWS + 6) * LENGTH; now += 50) {
            while (!waiting.isEmpty() && waiting.getFirst().atMillis() <= now) {
                var delivery = waiting.removeFirst();
                var at = Instant.ofEpochMilli(delivery.atMillis());
                results.merge(windows.add(delivery.observation(), at), 1, Integer::sum);
                closed.addAll(windows.close(at));
            }
            closed.addAll(windows.close(Instant.ofEpochMilli(now)));
        }
        return closed.stream().filter(window -> window.startMillis() < (WINDOWS + 3) * LENGTH).toList();
    }

    private static long ended(InstanceObservation observation) {
        return Math.floorMod(observation.windowStartMillis(), 3_600_000L) + LENGTH;
    }

    /** What two collectors send of three instances; of the second one the clock may be an hour ahead. */
    private static List<InstanceObservation> sent(boolean ahead) {
        var sent = new ArrayList<InstanceObservation>();
        for (int window = 0; window < WINDOWS; window++) {
            for (int instance = 0; instance < INSTANCES.size(); instance++) {
                for (String collector : COLLECTORS) {
                    long shift = ahead && collector.equals("d") ? 3_600_000 : 0;
                    sent.add(new InstanceObservation(collector, window * 3L + instance + 1, INSTANCES.get(instance),
                            window * LENGTH + shift, new InstanceMeasurements(SAME, instance)));
                }
            }
        }
        return sent;
    }
}
