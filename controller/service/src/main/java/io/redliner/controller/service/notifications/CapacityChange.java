// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload.Measured;

/** Compares a capacity with the one before. */
final class CapacityChange {

    private CapacityChange() {}

    /**
     * Returns true when the capacity differs by more than {@code least} from the one before, and the two intervals do not overlap.
     * A capacity of which only a lower bound is known may be higher, so there is no rise from it and no fall to it.
     *
     * @param minChange ratio, 0.1 for 10 %
     */
    static boolean real(Measured before, Measured after, double minChange) {
        if (Math.abs(ratio(before, after)) <= minChange) {
            return false;
        }
        boolean grew = after.low() > before.high() && !before.lowerBound();
        boolean fell = after.high() < before.low() && !after.lowerBound();
        return grew || fell;
    }

    /** Returns the change as a ratio of the capacity before: 0.1 for 10 % more. */
    static double ratio(Measured before, Measured after) {
        return after.requestsPerSecond() / before.requestsPerSecond() - 1;
    }
}
