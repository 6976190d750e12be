// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

/**
 * What a server suffers in one slice without doing anything for it.
 *
 * @param stallSeconds for which everything in service, and what comes next, stands still
 * @param slowdown factor of all service times, 1 for none
 * @param heldUntilSeconds the proxy holds answers until then, on the server's clock; 0 when it does not
 */
public record Noise(double stallSeconds, double slowdown, double heldUntilSeconds) {

    /** None. */
    public static final Noise NONE = new Noise(0, 1, 0);

    /** One and the other. */
    public Noise and(Noise other) {
        return new Noise(stallSeconds + other.stallSeconds, slowdown * other.slowdown,
                Math.max(heldUntilSeconds, other.heldUntilSeconds));
    }
}
