// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** A seeded course of events of one service: requests, how long their records travel, and when streams break. */
final class Trace {

    static final Instant BEGIN = Instant.parse("2026-01-01T12:00:00Z");

    static final Duration LENGTH = Duration.ofSeconds(11);

    private static final List<RequestError> ERRORS = List.of(RequestError.values());

    private final List<Delivery> deliveries = new ArrayList<>();

    private final List<Duration> latencies = new ArrayList<>();

    /**
     * @param longestDelay how long a record is under way at most; beyond the grace it is late
     * @param lossPercent how many records never arrive
     */
    Trace(long seed, int requests, Duration longestDelay, int lossPercent) {
        Random random = new Random(seed);
        for (int number = 0; number < requests; number++) {
            String id = "request-" + number;
            String instance = "10.0.0." + random.nextInt(3) + ":80";
            Instant start = BEGIN.plusMillis(random.nextInt(5_000));
            // Multiples of 10 ms, so that no latency is within the histogram's resolution of a limit.
            Duration latency = Duration.ofMillis(10L * (1 + random.nextInt(random.nextInt(4) == 0 ? 250 : 10)));
            RequestError error = random.nextInt(10) == 0 ? ERRORS.get(random.nextInt(ERRORS.size())) : null;
            latencies.add(latency);
            // Records of one request come over one stream, in order.
            long startDelay = random.nextLong(longestDelay.toMillis() + 1);
            long endDelay = random.nextLong(longestDelay.toMillis() + 1);
            Instant startArrives = start.plusMillis(startDelay);
            Instant end = start.plus(latency);
            Instant endArrives = end.plusMillis(endDelay);
            deliver(random, lossPercent, startArrives, Requests.started(id, instance, start));
            deliver(random, lossPercent, endArrives.isBefore(startArrives) ? startArrives : endArrives,
                    Requests.ended(id, instance, end, latency, error));
        }
        deliveries.sort(Comparator.comparing(Delivery::at));
    }

    private void deliver(Random random, int lossPercent, Instant arrival, RequestRecord request) {
        if (random.nextInt(100) >= lossPercent) {
            deliveries.add(new Delivery(arrival, request));
        }
    }

    /** As over one stream of one proxy: nothing overtakes. */
    Trace inOrder() {
        deliveries.sort(Comparator.comparingLong(delivery -> delivery.request().atMicros()));
        Instant latest = BEGIN;
        for (int index = 0; index < deliveries.size(); index++) {
            Delivery delivery = deliveries.get(index);
            latest = delivery.at().isAfter(latest) ? delivery.at() : latest;
            deliveries.set(index, new Delivery(latest, delivery.request()));
        }
        return this;
    }

    List<Delivery> deliveries() {
        return deliveries;
    }

    long slowerThan(Duration limit) {
        return latencies.stream().filter(latency -> latency.compareTo(limit) > 0).count();
    }

    /** Lets it happen, sealing every 50 ms; after each tick the check is called. */
    List<WindowCounts> play(WindowAggregator windows, RequestRecordStream stream, Runnable check) {
        List<WindowCounts> sealed = new ArrayList<>();
        int next = 0;
        for (Instant now = BEGIN; !now.isAfter(BEGIN.plus(LENGTH)); now = now.plusMillis(50)) {
            while (next < deliveries.size() && !deliveries.get(next).at().isAfter(now)) {
                windows.accept(stream, List.of(deliveries.get(next).request()), now);
                next++;
            }
            sealed.addAll(windows.closeDue(now));
            check.run();
        }
        return sealed;
    }

    record Delivery(Instant at, RequestRecord request) {}
}
