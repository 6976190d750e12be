// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.OwnLimits.OwnLimitEnds;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many requests of each instance of a service ended in the last half to whole minute, and how many of them by a limit that
 * RedLiner chose. Guarded by the lock of {@link ServiceAggregator}.
 */
final class OwnLimitCounts {

    private static final long PART_MILLIS = 30_000;

    /** The ends of half a minute. */
    private static final class Part {

        private long requests;

        private final Map<ProxyLimit, Long> ended = new EnumMap<>(ProxyLimit.class);
    }

    private static final class Counts {

        private Part currentPart = new Part();

        private Part formerPart = new Part();

        void add(@Nullable ProxyLimit limit) {
            currentPart.requests++;
            if (limit != null) {
                currentPart.ended.merge(limit, 1L, Long::sum);
            }
        }

        void turn() {
            formerPart = currentPart;
            currentPart = new Part();
        }

        long requests() {
            return currentPart.requests + formerPart.requests;
        }

        long ended(ProxyLimit limit) {
            return currentPart.ended.getOrDefault(limit, 0L) + formerPart.ended.getOrDefault(limit, 0L);
        }
    }

    private final int maxInstances;

    /** Counts by the address of the instance. */
    private final Map<String, Counts> counts = new HashMap<>();

    /** The counts of all instances together. */
    private Counts totalCounts = new Counts();

    private OwnLimits limits = OwnLimits.NONE;

    private long partStart;

    OwnLimitCounts(int maxInstances) {
        this.maxInstances = maxInstances;
    }

    /** Replaces the limits that RedLiner chose. Counts of requests that other limits ended are forgotten. */
    void limitBy(OwnLimits next) {
        if (!next.equals(limits)) {
            limits = next;
            clear();
        }
    }

    /** Forgets all counts, because the shares of the instances change. */
    void clear() {
        counts.clear();
        totalCounts = new Counts();
    }

    /** Counts the end of a request after its classification. */
    void add(RequestRecord end, long nowMillis) {
        if (limits.values().isEmpty() || end.isCancelled()) {
            return;
        }
        rotate(nowMillis);
        Counts own = counts.get(end.instance());
        if (own == null) {
            if (counts.size() >= maxInstances) {
                return;
            }
            own = new Counts();
            counts.put(end.instance(), own);
        }
        own.add(end.limit());
        totalCounts.add(end.limit());
    }

    private void rotate(long nowMillis) {
        if (nowMillis >= partStart + 2 * PART_MILLIS) {
            clear();
            partStart = nowMillis;
        } else if (nowMillis >= partStart + PART_MILLIS) {
            counts.values().forEach(Counts::turn);
            totalCounts.turn();
            counts.values().removeIf(own -> own.formerPart.requests == 0);
            partStart += PART_MILLIS;
        }
    }

    /** Returns the counts of one instance for each limit that ended requests of any, so that sums over instances are complete. */
    List<OwnLimitEnds> of(String instance, long nowMillis) {
        rotate(nowMillis);
        Counts own = counts.get(instance);
        return own == null ? List.of() : ends(own);
    }

    /** Returns the counts of all instances together for each limit that ended any. */
    List<OwnLimitEnds> ofAll(long nowMillis) {
        rotate(nowMillis);
        return ends(totalCounts);
    }

    private List<OwnLimitEnds> ends(Counts wanted) {
        List<OwnLimitEnds> ends = new ArrayList<>();
        limits.values().forEach((limit, value) -> {
            if (totalCounts.ended(limit) > 0) {
                ends.add(new OwnLimitEnds(limit, value, wanted.ended(limit), wanted.requests()));
            }
        });
        ends.sort(Comparator.comparing(OwnLimitEnds::limit));
        return ends;
    }
}
