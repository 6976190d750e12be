// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Estimates how often each instance pushes, so that a measurement holds until the next one is due. No message carries the
 * interval. It is estimated from the last messages, some of which can arrive at the same time.
 */
final class PushIntervalEstimator {

    /** The hold of an instance whose interval is not known: services push every 60 seconds by default. */
    static final Duration UNKNOWN = Duration.ofSeconds(90);

    private static final Duration MIN_HOLD = Duration.ofSeconds(1);

    private static final int MAX_INSTANCES = 1_000;

    private static final int LAST = 8;

    private final Map<InstanceId, Intervals> instances = new LinkedHashMap<>(16, 0.75f, true);

    /** Notes a message, and returns how long its measurements hold. */
    synchronized Duration hold(InstanceId instanceId, Instant now) {
        Intervals ofInstance = instances.computeIfAbsent(instanceId, unused -> new Intervals());
        if (instances.size() > MAX_INSTANCES) {
            instances.remove(instances.keySet().iterator().next());
        }
        return ofInstance.next(now);
    }

    private static final class Intervals {

        private final Deque<Duration> intervals = new ArrayDeque<>();

        private Instant last = Instant.MIN;

        Duration next(Instant now) {
            if (last.equals(Instant.MIN) || now.isBefore(last)) {
                last = now;
                return UNKNOWN;
            }
            intervals.addLast(Duration.between(last, now));
            last = now;
            if (intervals.size() > LAST) {
                intervals.removeFirst();
            }
            Duration longest = intervals.stream().max(Duration::compareTo).orElse(UNKNOWN);
            Duration hold = longest.plus(longest.dividedBy(2));
            return hold.compareTo(UNKNOWN) > 0 ? UNKNOWN : hold.compareTo(MIN_HOLD) < 0 ? MIN_HOLD : hold;
        }
    }
}
