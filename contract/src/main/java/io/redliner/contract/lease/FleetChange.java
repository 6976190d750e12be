// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.lease;

import io.redliner.contract.v1.FleetChangeKind;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * A change of the service's fleet while a lease was in force.
 *
 * @param instance {@code host:port}
 * @param at when the redirector noticed
 * @param detail the source and the reason, for people; may be empty
 */
public record FleetChange(Kind kind, String instance, Instant at, String detail) {

    /** The kind of change. */
    public enum Kind {

        ADDED, REMOVED,
        /** A proxy sends it no requests any more. */
        EJECTED,
        /** It returned from an ejection. */
        RETURNED,
        /** Its natural weight changed. */
        REWEIGHTED,
        /** The message has no kind, or one that this version does not know. */
        UNKNOWN
    }

    /**
     * Writes the change.
     *
     * @param lead time by which the system clock, which other processes use, is ahead of the change's clock
     */
    public io.redliner.contract.v1.FleetChange write(Duration lead) {
        return io.redliner.contract.v1.FleetChange.newBuilder()
                .setKind(switch (kind) {
                    case ADDED -> FleetChangeKind.FLEET_CHANGE_KIND_ADDED;
                    case REMOVED -> FleetChangeKind.FLEET_CHANGE_KIND_REMOVED;
                    case EJECTED -> FleetChangeKind.FLEET_CHANGE_KIND_EJECTED;
                    case RETURNED -> FleetChangeKind.FLEET_CHANGE_KIND_RETURNED;
                    case REWEIGHTED -> FleetChangeKind.FLEET_CHANGE_KIND_REWEIGHTED;
                    case UNKNOWN -> FleetChangeKind.FLEET_CHANGE_KIND_UNSPECIFIED;
                })
                .setInstance(instance)
                .setAtMs(at.plus(lead).toEpochMilli())
                .setDetail(detail)
                .build();
    }

    /**
     * Reads a change. A kind that this version does not know is {@link Kind#UNKNOWN}; of a time, the nearest that can be stored is
     * taken.
     *
     * @param text makes a text from outside safe to show
     */
    public static FleetChange read(io.redliner.contract.v1.FleetChange change, UnaryOperator<String> text) {
        Kind kind = switch (change.getKind()) {
            case FLEET_CHANGE_KIND_ADDED -> Kind.ADDED;
            case FLEET_CHANGE_KIND_REMOVED -> Kind.REMOVED;
            case FLEET_CHANGE_KIND_EJECTED -> Kind.EJECTED;
            case FLEET_CHANGE_KIND_RETURNED -> Kind.RETURNED;
            case FLEET_CHANGE_KIND_REWEIGHTED -> Kind.REWEIGHTED;
            case FLEET_CHANGE_KIND_UNSPECIFIED, UNRECOGNIZED -> Kind.UNKNOWN;
        };
        return new FleetChange(kind, text.apply(change.getInstance()),
                WireInstant.nearest(change.getAtMs()), text.apply(change.getDetail()));
    }
}
