// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.util.Optional;

/** The times of a calendar at which nothing may start. */
@FunctionalInterface
public interface BlackoutTimes {

    /** Returns the end of the busy time that holds this instant, later than it; empty when the instant is free. */
    Optional<Instant> busyUntil(Instant at);
}
