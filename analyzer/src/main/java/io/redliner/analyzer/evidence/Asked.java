// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evidence;

/**
 * The load that was asked for.
 *
 * @param requestsPerSecond when it last moved
 * @param steadySeconds for which it has been within a tenth of that
 */
public record Asked(double requestsPerSecond, double steadySeconds) {

    private static final double SETTLING_SECONDS = 3;

    private static final double STEADY = 0.1;

    static final Asked NOTHING = new Asked(0, 0);

    Asked then(double asked, double seconds) {
        return asked > 0 && Math.abs(asked - requestsPerSecond) <= STEADY * requestsPerSecond
                ? new Asked(requestsPerSecond, steadySeconds + seconds)
                : new Asked(asked, 0);
    }

    boolean settled() {
        return requestsPerSecond > 0 && steadySeconds >= SETTLING_SECONDS;
    }
}
