// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

/**
 * The load that was asked for.
 *
 * @param requestsPerSecond when it last moved
 * @param steadySeconds for which it has been within 4 % of that
 * @param steadyWindows in that time
 */
public record RequestedLoad(double requestsPerSecond, double steadySeconds, int steadyWindows) {

    private static final double SETTLING_SECONDS = 3;

    /** With long windows an advice takes longer to be followed. */
    private static final int SETTLING_WINDOWS = 10;

    private static final double STEADY = 0.04;

    static final RequestedLoad NOTHING = new RequestedLoad(0, 0, 0);

    RequestedLoad then(double asked, double seconds) {
        return asked > 0 && Math.abs(asked - requestsPerSecond) <= STEADY * requestsPerSecond
                ? new RequestedLoad(requestsPerSecond, steadySeconds + seconds, steadyWindows + 1)
                : new RequestedLoad(asked, 0, 0);
    }

    boolean settled() {
        return requestsPerSecond > 0 && steadySeconds >= SETTLING_SECONDS && steadyWindows >= SETTLING_WINDOWS;
    }
}
