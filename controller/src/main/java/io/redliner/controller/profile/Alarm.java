// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.profile;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the SLA is broken, and not only one noisy window. It is raised by one of three, the first two as in the search:
 * <ul>
 * <li>a rule that is a proportion (p99, error ratio): the one-sided CUSUM of its log likelihood ratio, of five times the
 * allowance against the allowance (E. S. Page, Continuous Inspection Schemes, Biometrika 41 (1954), p. 100-115). Of a p99
 * over 100 requests, two slow ones already break a window; by chance that happens in one window of four at the limit;</li>
 * <li>a rule on a level (CPU): two windows in a row;</li>
 * <li>whatever broke: 8 of the last 10 windows. At 0.7 % slow requests of 1 % allowed and 100 requests a window, 16 % of
 * the windows are broken, and 8 of 10 come once in some 70 000 windows; at a load that breaks every window it is raised
 * after 8.</li>
 * </ul>
 * Windows that say nothing are neither healthy nor broken: they are left out here, and counted elsewhere.
 *
 * @param sums by rule and allowance
 * @param levels by rule, windows in a row
 * @param recent bits of the last windows, the newest lowest: 1 for a broken one
 * @param raised why, in words; absent while it is not
 */
public record Alarm(SortedMap<String, Double> sums, SortedMap<String, Integer> levels, int recent,
        @Nullable String raised) {

    static final Alarm QUIET = new Alarm(new TreeMap<>(), new TreeMap<>(), 0, null);

    private static final double RATIO = 5;

    private static final double THRESHOLD = 12;

    private static final int LEVEL_WINDOWS = 2;

    private static final int LAST = 10;

    private static final int BROKEN = 8;

    public Alarm {
        sums = Collections.unmodifiableSortedMap(new TreeMap<>(sums));
        levels = Collections.unmodifiableSortedMap(new TreeMap<>(levels));
    }

    Alarm after(Seen seen) {
        if (!seen.known()) {
            return this;
        }
        SortedMap<String, Double> nextSums = new TreeMap<>(sums);
        SortedMap<String, Integer> nextLevels = new TreeMap<>();
        String why = null;
        for (Seen.RuleSeen rule : seen.rules()) {
            if (rule.informational() || rule.guard()) {
                continue;
            }
            Seen.Counts counts = rule.counts();
            if (counts != null && counts.allowedRatio() > 0 && counts.allowedRatio() < 1) {
                String key = rule.name() + " " + counts.allowedRatio();
                double sum = sum(nextSums.getOrDefault(key, 0.0), counts);
                nextSums.put(key, sum);
                why = sum > THRESHOLD
                        ? "rule '" + rule.name() + "': " + counts.exceeding() + " of " + counts.requests()
                                + " requests of the last window broke it, and too many before"
                        : why;
            } else if (rule.health() == Seen.Health.BROKEN) {
                int inARow = levels.getOrDefault(rule.name(), 0) + 1;
                nextLevels.put(rule.name(), inARow);
                why = inARow >= LEVEL_WINDOWS
                        ? "rule '" + rule.name() + "' was broken " + inARow + " windows in a row"
                        : why;
            }
        }
        int bits = ((recent << 1) | (seen.health() == Seen.Health.BROKEN ? 1 : 0)) & ((1 << LAST) - 1);
        if (why == null && Integer.bitCount(bits) >= BROKEN) {
            why = Integer.bitCount(bits) + " of the last " + LAST + " windows broke the SLA";
        }
        return new Alarm(nextSums, nextLevels, bits, why);
    }

    private static double sum(double before, Seen.Counts counts) {
        double allowed = counts.allowedRatio();
        double noticed = Math.min(RATIO * allowed, (1 + allowed) / 2);
        long inTime = counts.requests() - counts.exceeding();
        return Math.max(0, before + counts.exceeding() * Math.log(noticed / allowed)
                + inTime * Math.log((1 - noticed) / (1 - allowed)));
    }
}
