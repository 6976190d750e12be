// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.figures.Delays;
import java.time.Duration;

/** What the played parts of the world noticed. Written by one thread, read when that has ended. */
final class Heard {

    /** From just before {@code producer.send} of a verdict until the same verdict is read back. */
    final Delays kafka = new Delays();

    /** From there to the lease that it leads to: until its record is made, by the controller's clock, in whole ms. */
    final Delays sent = new Delays();

    /** From there until that lease is read. */
    final Delays read = new Delays();

    /** The shortest time that any lease had left when the next one came. */
    Duration leastLeft = Duration.ofDays(1);

    long leases;

    void left(Duration duration) {
        leastLeft = duration.compareTo(leastLeft) < 0 ? duration : leastLeft;
    }
}
