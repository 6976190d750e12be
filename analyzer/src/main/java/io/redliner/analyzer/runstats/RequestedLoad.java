// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

/**
 * The load that the search has requested.
 *
 * @param requestsPerSecond the load at its last change
 * @param steadySeconds seconds for which it has stayed within 4 % of that load
 * @param steadyWindows windows in that time
 */
public record RequestedLoad(double requestsPerSecond, double steadySeconds, int steadyWindows) {

    private static final double SETTLING_SECONDS = 3;

    /** Windows until a change has settled: with long windows it takes longer to follow an advice. */
    private static final int SETTLING_WINDOWS = 10;

    private static final double STEADY = 0.04;

    static final RequestedLoad NOTHING = new RequestedLoad(0, 0, 0);

    RequestedLoad then(double load, double seconds) {
        return load > 0 && Math.abs(load - requestsPerSecond) <= STEADY * requestsPerSecond
                ? new RequestedLoad(requestsPerSecond, steadySeconds + seconds, steadyWindows + 1)
                : new RequestedLoad(load, 0, 0);
    }

    boolean settled() {
        return requestsPerSecond > 0 && steadySeconds >= SETTLING_SECONDS && steadyWindows >= SETTLING_WINDOWS;
    }
}
