// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many requests of each instance of a service ended in the last half to whole minute, and how many of them by a limit that
 * RedLiner chose. Guarded by the lock of {@link ServiceAggregator}.
 */
final class OwnLimitCounts {

    private static final long PART_MILLIS = 30_000;

    private static final ProxyLimit[] LIMITS = ProxyLimit.values();

    /** Of one part: all ends, and those by each limit. */
    private static final int SIZE = 1 + LIMITS.length;

    private final int maxInstances;

    /** By address: the part that is counted, and behind it the one before. */
    private final Map<String, long[]> counts = new HashMap<>();

    private OwnLimits limits = OwnLimits.NONE;

    private long partStart;

    OwnLimitCounts(int maxInstances) {
        this.maxInstances = maxInstances;
    }

    /** From now on these are RedLiner's. What others ended is forgotten. */
    void limitBy(OwnLimits next) {
        if (!next.equals(limits)) {
            limits = next;
            counts.clear();
        }
    }

    /** Forgets all: who gets which part of the requests changes. */
    void clear() {
        counts.clear();
    }

    /** Counts an end that was classified. */
    void add(RequestRecord end, long nowMillis) {
        if (limits.values().isEmpty() || end.isCancelled()) {
            return;
        }
        turn(nowMillis);
        long[] own = counts.get(end.instance());
        if (own == null) {
            if (counts.size() >= maxInstances) {
                return;
            }
            own = new long[2 * SIZE];
            counts.put(end.instance(), own);
        }
        own[0]++;
        ProxyLimit limit = end.limit();
        if (limit != null) {
            own[1 + limit.ordinal()]++;
        }
    }

    private void turn(long nowMillis) {
        if (nowMillis >= partStart + 2 * PART_MILLIS) {
            counts.clear();
            partStart = nowMillis;
        } else if (nowMillis >= partStart + PART_MILLIS) {
            counts.values().forEach(own -> {
                System.arraycopy(own, 0, own, SIZE, SIZE);
                Arrays.fill(own, 0, SIZE, 0);
            });
            counts.values().removeIf(own -> own[SIZE] == 0);
            partStart += PART_MILLIS;
        }
    }

    /** Of one instance, each limit that ended requests of any: so the sums over instances are of the same time. */
    List<OwnLimitEnds> of(String instance, long nowMillis) {
        turn(nowMillis);
        long[] own = counts.get(instance);
        return own == null ? List.of() : ends(List.of(own));
    }

    /** Of all instances together, each limit that ended any. */
    List<OwnLimitEnds> ofAll(long nowMillis) {
        turn(nowMillis);
        return ends(counts.values());
    }

    private List<OwnLimitEnds> ends(Collection<long[]> parts) {
        List<OwnLimitEnds> ends = new ArrayList<>();
        for (ProxyLimit limit : LIMITS) {
            int at = 1 + limit.ordinal();
            if (sum(counts.values(), at) > 0) {
                ends.add(new OwnLimitEnds(limit, limits.values().getOrDefault(limit, 0L), sum(parts, at),
                        sum(parts, 0)));
            }
        }
        return ends;
    }

    private static long sum(Collection<long[]> parts, int at) {
        return parts.stream().mapToLong(own -> own[at] + own[SIZE + at]).sum();
    }
}
