// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/**
 * The requests of a window against a latency limit, each counted once: when it passes the limit while it hangs, or
 * else when it ends. A request that was counted as overdue and ends now is left out here.
 *
 * @param requests of this window, >= 0
 * @param slow of those, the ones above the limit
 * @param allowed of those, as many as may be above the limit
 * @param percentileMicros the percentile of those requests; never on the other side of the limit than the count says
 */
record SlowRequests(long requests, long slow, long allowed, double percentileMicros) {

    /** So that 1 % of 2900 is 29 in binary fractions too. */
    private static final double ROUNDING = 1e-9;

    /** @param ratioAbove the part that may be slower than the limit, 0.01 for p99 */
    static SlowRequests count(Measured measured, double limitMicros, double ratioAbove) {
        Latencies latency = measured.latency();
        long limit = Math.max(0, (long) Math.floor(limitMicros));
        long total = latency.getTotalCount();
        long above = total == 0 ? 0 : total - atOrBelow(latency, limit);
        long newlyOverdue = 0;
        long settled = 0;
        for (var overdue : measured.overdue()) {
            if (overdue.limitMicros() == limit) {
                newlyOverdue += overdue.newlyOverdue();
                settled += overdue.settled();
            }
        }
        // More settled than above the limit cannot be; but a lost observation or a clock may make it look so.
        long slow = Math.max(0, above + newlyOverdue - settled);
        long requests = total - above + slow;
        long allowed = (long) Math.floor(ratioAbove * requests + ROUNDING);
        return new SlowRequests(requests, slow, allowed,
                requests == 0 ? Double.NaN : percentile(latency, limitMicros, requests - allowed, slow <= allowed));
    }

    boolean withinLimit() {
        return slow <= allowed;
    }

    private static long atOrBelow(Latencies latency, long limit) {
        return limit >= latency.getMaxValue()
                ? latency.getTotalCount()
                : latency.countAtOrBelow(limit);
    }

    /** @param rank of the request whose latency is the percentile: the allowed ones are cut off from the top */
    private static double percentile(Latencies latency, double limitMicros, long rank, boolean withinLimit) {
        long total = latency.getTotalCount();
        double value = total == 0 ? 0 : latency.getValueAtPercentile(100.0 * Math.clamp(rank, 1, total) / total);
        return withinLimit ? Math.min(value, limitMicros) : Math.max(value, limitMicros + 1);
    }
}
