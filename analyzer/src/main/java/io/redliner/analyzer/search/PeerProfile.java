// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * What one peer's latencies are without noise.
 *
 * @param lnLatency mean of the logarithm of the latency in microseconds; NaN while it is not known
 * @param variance of the logarithm within a second
 * @param wander variance of its mean from second to second, beyond what chance explains
 * @param slowAlone looks in which it was slow and not all were
 */
public record PeerProfile(double lnLatency, double variance, double wander, int slowAlone) {

    static final PeerProfile UNKNOWN = new PeerProfile(Double.NaN, 0, 0, 0);

    boolean known() {
        return !Double.isNaN(lnLatency);
    }
}
