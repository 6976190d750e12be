// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * One peer's latencies without noise.
 *
 * @param lnLatency mean of the logarithm of the latency in microseconds; NaN while unknown
 * @param variance of the logarithm within a second
 * @param wander variance of the logarithm's mean from second to second, beyond chance
 * @param slowAlone looks in which this peer was slow and not all peers were
 * @param neighbour whether it is known to be on the SUT's host
 */
public record PeerProfile(double lnLatency, double variance, double wander, int slowAlone, boolean neighbour) {

    static final PeerProfile UNKNOWN = new PeerProfile(Double.NaN, 0, 0, 0, false);

    boolean known() {
        return !Double.isNaN(lnLatency);
    }
}
