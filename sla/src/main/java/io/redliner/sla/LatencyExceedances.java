// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/**
 * Counts of a window's requests against a latency limit, the threshold of a percentile such as p99. Each request counts once: when
 * it passes the limit while it hangs, or else when it ends. A request that was counted as overdue and ends now is left out here.
 * So is a request that was cancelled unanswered before half of all requests are answered: such an early cancellation is not due to
 * a slow instance.
 *
 * @param requests of this window, >= 0
 * @param slow requests above the limit
 * @param unknown requests that were cancelled unanswered before the limit; for the time to the first byte, also requests that
 *        passed the limit and still hang
 * @param allowed number of requests that may be above the limit
 * @param percentileMicros the percentile of the requests in microseconds; always on the same side of the limit as the counts
 */
record LatencyExceedances(long requests, long slow, long unknown, long allowed, double percentileMicros) {

    /** Offsets binary rounding errors: 1 % of 2900 is to be 29. */
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
            // It is known only at the end of a hanging request whether its answer had begun. The request counts then.
            unknown += newlyOverdue;
            newlyOverdue = 0;
            settled = 0;
        }
        // A lost observation or a clock error can make more requests settled than above the limit.
        long slow = Math.max(0, above + unanswered.getTotalCount() - givenUp + newlyOverdue - settled);
        long requests = total - above + slow + unknown;
        long allowed = (long) Math.floor(ratioAbove * requests + ROUNDING);
        return new LatencyExceedances(requests, slow, unknown, allowed,
                requests == 0 ? Double.NaN : percentile(latency, limitMicros, requests - allowed, slow <= allowed));
    }

    boolean withinLimit() {
        return slow <= allowed;
    }

    /** Returns true when the unknown requests cannot move the percentile to the other side of the limit. */
    boolean isKnown() {
        return !withinLimit() || slow + unknown <= allowed;
    }

    /**
     * Returns the microseconds within which half of all requests were answered, with unanswered requests taken as answered at
     * once; 0 when they alone are half.
     */
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
