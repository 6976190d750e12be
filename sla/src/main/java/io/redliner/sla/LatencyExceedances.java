// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/**
 * The requests of a window against a latency limit, each counted once: when it passes the limit while it hangs, or
 * else when it ends. A request that was counted as overdue and ends now is left out here. So is one that the user cancelled without an
 * answer before half of all requests were answered: nobody hangs up so early because the instance is slow.
 *
 * @param requests of this window, >= 0
 * @param slow of those, the ones above the limit
 * @param unknown of those, the ones that the user cancelled without an answer before the limit; for the time to the first byte, also
 *        those that passed the limit and hang
 * @param allowed of those, as many as may be above the limit
 * @param percentileMicros the percentile of those requests; never on the other side of the limit than the count says
 */
record LatencyExceedances(long requests, long slow, long unknown, long allowed, double percentileMicros) {

    /** So that 1 % of 2900 is 29 in binary fractions too. */
    private static final double ROUNDING = 1e-9;

    /** @param metric a percentile */
    static LatencyExceedances count(WindowStats measured, double limitMicros, RuleMetric metric) {
        double ratioAbove = metric.ratioAbove().orElseThrow();
        LatencyHistogram latency = metric.times(measured);
        long limit = Math.max(0, (long) Math.floor(limitMicros));
        long total = latency.getTotalCount();
        long above = total - atOrBelow(latency, limit);
        LatencyHistogram unanswered = measured.cancelled().unanswered();
        long givenUp = atOrBelow(unanswered, limit);
        long unknown = Math.max(0, givenUp - atOrBelow(unanswered, usual(latency, unanswered)));
        long newlyOverdue = 0;
        long settled = 0;
        for (var overdue : measured.overdue()) {
            if (overdue.limitMicros() == limit) {
                newlyOverdue += overdue.newlyOverdue();
                settled += overdue.settled();
            }
        }
        if (metric.ofFirstByte()) {
            // Whether the answer of a request that hangs has begun is known when it ends, and counts then.
            unknown += newlyOverdue;
            newlyOverdue = 0;
            settled = 0;
        }
        // More settled than above the limit cannot be; but a lost observation or a clock may make it look so.
        long slow = Math.max(0, above + unanswered.getTotalCount() - givenUp + newlyOverdue - settled);
        long requests = total - above + slow + unknown;
        long allowed = (long) Math.floor(ratioAbove * requests + ROUNDING);
        return new LatencyExceedances(requests, slow, unknown, allowed,
                requests == 0 ? Double.NaN : percentile(latency, limitMicros, requests - allowed, slow <= allowed));
    }

    boolean withinLimit() {
        return slow <= allowed;
    }

    /** Whether it is on the same side of the limit whatever the unknown requests would have been. */
    boolean isKnown() {
        return !withinLimit() || slow + unknown <= allowed;
    }

    /** The time in which half of all requests were answered if those without an answer had been answered at once; 0 without it. */
    private static long usual(LatencyHistogram latency, LatencyHistogram unanswered) {
        long rank = (latency.getTotalCount() + unanswered.getTotalCount()) / 2 - unanswered.getTotalCount();
        return rank <= 0 ? 0 : latency.getValueAtPercentile(100.0 * rank / latency.getTotalCount());
    }

    private static long atOrBelow(LatencyHistogram latency, long limit) {
        return limit >= latency.getMaxValue()
                ? latency.getTotalCount()
                : latency.countAtOrBelow(limit);
    }

    /** @param rank of the request whose latency is the percentile: the allowed ones are cut off from the top */
    private static double percentile(LatencyHistogram latency, double limitMicros, long rank, boolean withinLimit) {
        long total = latency.getTotalCount();
        double value = total == 0 ? 0 : latency.getValueAtPercentile(100.0 * Math.clamp(rank, 1, total) / total);
        return withinLimit ? Math.min(value, limitMicros) : Math.max(value, limitMicros + 1);
    }
}
