// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A period in which no traffic is moved.
 *
 * @param service that is frozen; absent: all
 * @param from included
 * @param to not included
 * @param actor who set it
 */
public record Freeze(String id, @Nullable String service, Instant from, Instant to, String reason, String actor,
        Instant createdAt) {

    /** @throws IllegalArgumentException when there is no time in it */
    public Freeze {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("a freeze ends after it begins: " + from + " to " + to);
        }
    }

    /** Returns true when the freeze covers this service. */
    public boolean concerns(String name) {
        return service == null || service.equals(name);
    }

    /** Returns true when the freeze overlaps the time from {@code begin} to {@code end}. */
    public boolean overlaps(Instant begin, Instant end) {
        return from.isBefore(end) && begin.isBefore(to);
    }

    /** Returns a sentence for people. */
    public String describe() {
        return (service == null ? "all services are" : "service " + service + " is") + " frozen from " + from + " to "
                + to
                + ": " + reason;
    }
}
