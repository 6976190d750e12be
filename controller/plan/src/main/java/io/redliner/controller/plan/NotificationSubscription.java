// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * A receiver of notifications about a plan's runs.
 *
 * @param on the events that it receives; not empty
 */
public record NotificationSubscription(NotificationChannel receiver, Set<NotificationEvent> on) {

    /** @throws IllegalArgumentException when there is no event */
    public NotificationSubscription {
        if (on.isEmpty()) {
            throw new IllegalArgumentException("must name at least one event");
        }
        on = Collections.unmodifiableSet(EnumSet.copyOf(on));
    }

    /** Events that notifications are sent for. Each happens at most once in a run. */
    public enum NotificationEvent {

        /** The run took the service. */
        STARTED,
        /** A window broke the SLA for the first time, or a guard was broken. */
        BREACHED,
        /** Ended by a guard, by people, or by a restart of the controller. */
        ABORTED,
        /** Ended with an answer. */
        FINISHED,
        /** Ended because a part that the run needs did not do its work. */
        FAILED,
        /** Ended without an answer. */
        INCONCLUSIVE,
        /** The capacity differs from the one before by more than both intervals allow. */
        CAPACITY_CHANGED,
        /** The run is over, and it is not proven that traffic is natural again. */
        RESTORE_UNPROVEN;

        /** The events of a subscription whose plan lists none. */
        public static final Set<NotificationEvent> USUAL = Collections
                .unmodifiableSet(EnumSet.of(FINISHED, ABORTED, FAILED));
    }
}
