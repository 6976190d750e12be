// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.sla.Judgement;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The alarm that the SLA is broken, and not only by one noisy window. As in the search, it is raised by one of two:
 * <ul>
 * <li>a rule about a proportion (p99, error ratio): the one-sided CUSUM of its log likelihood ratio (E. S. Page,
 * Continuous Inspection Schemes, Biometrika 41 (1954), p. 100-115). One sum detects five times the allowed ratio within
 * some windows. Another one detects twice the allowed ratio, when it lasts;</li>
 * <li>a rule on a level (CPU): two windows in a row.</li>
 * </ul>
 * A fixed number of broken windows out of a number of windows would be simpler, and fails where windows are small. Of 50
 * requests, one slow request breaks a p99. With half of what is allowed, 8 of 10 windows were broken by chance in a third of
 * the simulated hours. Counts of requests do not have that problem. A small excess is found at the end, over all requests of
 * the hold.
 *
 * <p>Inconclusive windows are neither healthy nor broken: {@link WindowCounts} counts them, and this alarm leaves them out.
 *
 * @param sums by rule, allowed ratio and detected multiple of it
 * @param levels broken windows in a row, by rule
 * @param raised the reason in words; absent while the alarm is not raised
 */
public record CusumAlarm(SortedMap<String, Double> sums, SortedMap<String, Integer> levels, @Nullable String raised) {

    static final CusumAlarm QUIET = new CusumAlarm(new TreeMap<>(), new TreeMap<>(), null);

    private static final double[] DETECTED_MULTIPLES = {5, 2};

    /** While the SLA holds, one in about e to the power of this, 160 000, of the sums that begin to rise gets here. */
    private static final double THRESHOLD = 12;

    private static final int LEVEL_WINDOWS = 2;

    public CusumAlarm {
        sums = Collections.unmodifiableSortedMap(new TreeMap<>(sums));
        levels = Collections.unmodifiableSortedMap(new TreeMap<>(levels));
    }

    CusumAlarm after(WindowSample window) {
        if (!window.known()) {
            return this;
        }
        SortedMap<String, Double> nextSums = new TreeMap<>(sums);
        SortedMap<String, Integer> nextLevels = new TreeMap<>();
        String why = null;
        for (RuleResult rule : window.verdict().sla()) {
            if (rule.informational()) {
                continue;
            }
            RuleCounts counts = rule.proportion();
            if (counts != null && counts.allowedRatio() > 0 && counts.allowedRatio() < 1) {
                why = tooMany(rule.name(), counts, nextSums)
                        ? "rule '" + rule.name() + "': " + counts.exceeding() + " of " + counts.requests()
                                + " requests of the last window broke it, and too many before"
                        : why;
            } else if (rule.judgement() == Judgement.BREACHED) {
                int inARow = levels.getOrDefault(rule.name(), 0) + 1;
                nextLevels.put(rule.name(), inARow);
                why = inARow >= LEVEL_WINDOWS
                        ? "rule '" + rule.name() + "' was broken " + inARow + " windows in a row"
                        : why;
            }
        }
        return new CusumAlarm(nextSums, nextLevels, why);
    }

    private static boolean tooMany(String rule, RuleCounts counts, SortedMap<String, Double> sums) {
        boolean tooMany = false;
        for (double ratio : DETECTED_MULTIPLES) {
            String key = rule + " " + counts.allowedRatio() + " x" + ratio;
            double sum = sum(sums.getOrDefault(key, 0.0), counts, ratio);
            sums.put(key, sum);
            tooMany |= sum > THRESHOLD;
        }
        return tooMany;
    }

    /**
     * Adds a window to a sum. The detected ratio is the given multiple of the allowed one, but at most the middle between
     * the allowed ratio and 1.
     */
    private static double sum(double before, RuleCounts counts, double ratio) {
        double allowed = counts.allowedRatio();
        double noticed = Math.min(ratio * allowed, (1 + allowed) / 2);
        long inTime = counts.requests() - counts.exceeding();
        return Math.max(0, before + counts.exceeding() * Math.log(noticed / allowed)
                + inTime * Math.log((1 - noticed) / (1 - allowed)));
    }
}
