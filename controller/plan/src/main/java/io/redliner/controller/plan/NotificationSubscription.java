// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Somebody who is told of a plan's runs.
 *
 * @param on what they are told of; not empty
 */
public record NotificationSubscription(NotificationChannel receiver, Set<NotificationEvent> on) {

    /** @throws IllegalArgumentException when they would never be told of anything */
    public NotificationSubscription {
        if (on.isEmpty()) {
            throw new IllegalArgumentException("must name at least one event");
        }
        on = Collections.unmodifiableSet(EnumSet.copyOf(on));
    }
}
