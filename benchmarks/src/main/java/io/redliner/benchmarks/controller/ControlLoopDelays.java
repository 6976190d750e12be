// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.stats.LatencySamples;
import java.time.Duration;

/** What the played parts of the world noticed. Written by one thread, read when that has ended. */
final class ControlLoopDelays {

    /** From just before {@code producer.send} of a verdict until the same verdict is read back. */
    final LatencySamples kafka = new LatencySamples();

    /** From there to the lease that it leads to: until its record is made, by the controller's clock, in whole ms. */
    final LatencySamples sent = new LatencySamples();

    /** From there until that lease is read. */
    final LatencySamples read = new LatencySamples();

    /** The shortest time that any lease had left when the next one came. */
    Duration leastLeft = Duration.ofDays(1);

    long leases;

    void left(Duration duration) {
        leastLeft = duration.compareTo(leastLeft) < 0 ? duration : leastLeft;
    }
}
