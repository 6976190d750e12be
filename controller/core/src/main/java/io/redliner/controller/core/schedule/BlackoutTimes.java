// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.util.Optional;

/** The times of a calendar at which nothing may start. */
@FunctionalInterface
public interface BlackoutTimes {

    /** When the busy time ends that an instant lies in, after that instant; empty when it is free. */
    Optional<Instant> busyUntil(Instant at);
}
