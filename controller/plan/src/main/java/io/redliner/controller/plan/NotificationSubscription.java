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
}
