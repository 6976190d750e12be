// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Instant;

/**
 * A change of a service's fleet while a lease was in force.
 *
 * @param instance {@code host:port}
 * @param at when it was noticed
 * @param detail for people
 */
public record FleetChange(Kind kind, String instance, Instant at, String detail) {

    /** The kind of the change. */
    public enum Kind {
        /** The instance is new. */
        ADDED,
        /** The instance is gone. */
        REMOVED,
        /** A proxy sends the instance no requests any more. */
        EJECTED,
        /** A proxy sends the instance requests again. */
        RETURNED,
        /** The natural weight of the instance changed. */
        REWEIGHTED
    }
}
