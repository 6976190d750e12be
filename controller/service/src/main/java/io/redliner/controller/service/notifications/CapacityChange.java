// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload.Measured;

/** Whether a capacity is another one than before. */
final class CapacityChange {

    private CapacityChange() {}

    /**
     * Whether it differs by more than {@code least} of the one before, and by more than the two intervals allow. Of one
     * that is only known to be at least so high nobody can say that it is not higher.
     *
     * @param least ratio, 0.1 for 10 %
     */
    static boolean real(Measured before, Measured after, double least) {
        if (Math.abs(ratio(before, after)) <= least) {
            return false;
        }
        boolean grew = after.low() > before.high() && !before.lowerBound();
        boolean fell = after.high() < before.low() && !after.lowerBound();
        return grew || fell;
    }

    /** 0.1 for 10 % more than before. */
    static double ratio(Measured before, Measured after) {
        return after.requestsPerSecond() / before.requestsPerSecond() - 1;
    }
}
