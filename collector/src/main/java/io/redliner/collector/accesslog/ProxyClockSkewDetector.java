// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Proxies whose records are of another time than the collector's: their clock is wrong, or they are very late. */
final class ProxyClockSkewDetector {

    private static final Duration TOLERATED = Duration.ofSeconds(2);

    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private static final int MOST = 100;

    private final Map<String, Oddity> byNode = new LinkedHashMap<>();

    /** A proxy sent a record of that time. */
    void saw(String node, long atMicros, Instant now) {
        double ahead = atMicros / 1e6 - now.toEpochMilli() / 1e3;
        if (Math.abs(ahead) > TOLERATED.toSeconds()) {
            synchronized (this) {
                if (byNode.size() < MOST || byNode.containsKey(node)) {
                    byNode.put(node, new Oddity(ahead, now));
                }
            }
        }
    }

    /** In words, by proxy; empty when there is nothing to say. */
    synchronized Map<String, String> oddities(Instant now) {
        byNode.values().removeIf(oddity -> oddity.at().isBefore(now.minus(REMEMBERED)));
        Map<String, String> words = new LinkedHashMap<>();
        byNode.forEach((node, oddity) -> words.put(node, oddity.words()));
        return words;
    }

    private record Oddity(double secondsAhead, Instant at) {

        String words() {
            return secondsAhead > 0
                    ? String.format(Locale.ROOT, "sends records from %.1f s in the future: set its clock", secondsAhead)
                    : String.format(Locale.ROOT, "sends records that are %.1f s old: set its clock, or its"
                            + " buffer_flush_interval to 0.02s", -secondsAhead);
        }
    }
}
