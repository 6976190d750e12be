// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run's permission to begin, and the bounds that come with it.
 *
 * @param until traffic has to be natural by then; absent when no freeze begins within its longest duration
 * @param harmLeft harmed requests that the service has left in this month; absent without such a budget
 */
public record StartPermit(@Nullable Instant until, @Nullable Double harmLeft) {

    /** A permit without bounds. */
    public static final StartPermit UNBOUNDED = new StartPermit(null, null);
}
