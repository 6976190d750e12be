// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Instant;

/**
 * Something that happened to a service's fleet while a lease was held.
 *
 * @param instance {@code host:port}
 * @param at when it was noticed
 * @param detail for people
 */
public record FleetChange(Kind kind, String instance, Instant at, String detail) {

    /** What happened. */
    public enum Kind {
        /** It is new. */
        ADDED,
        /** It is gone. */
        REMOVED,
        /** A proxy sends it no requests any more. */
        EJECTED,
        /** A proxy sends it requests again. */
        RETURNED,
        /** Its natural weight is another. */
        REWEIGHTED
    }
}
