// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.lease;

import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * The switch that makes all traffic natural and lets no run begin. Redirectors obey its records in the order of the topic.
 * Controllers repeat an engaged switch, and redirectors obey a release only after a time without such a repetition: a record
 * that no controller wrote cannot release it.
 *
 * @param actor who changed it last
 * @param at when it was engaged or released, by the clock of a controller; to engage it again keeps it. Redirectors only show it,
 *     and controllers count the effect from it
 */
public record KillSwitch(boolean engaged, String actor, String reason, Instant at) {

    /** The switch before it was ever engaged. */
    public static final KillSwitch NEVER_ENGAGED = new KillSwitch(false, "", "", Instant.EPOCH);

    /** The longest interval at which each controller repeats the record of an engaged kill switch, in ms. */
    public static final long MAX_REPEAT_INTERVAL_MILLIS = 1_000;

    /** The time after a release in which a redirector still obeys the engaged switch, in ms. A repetition in it cancels the release. */
    public static final long RELEASE_DELAY_MILLIS = 2_000;

    /** The reason for which a lease is not in force begins so, or has it in it, when it is the kill switch; for people. */
    public static final String ENGAGED_BY = "the kill switch was engaged by ";

    private static final String BEING_RELEASED = " (being released: redirectors still obey it)";

    /** Returns the engaged switch that redirectors still obey after this release; its reason says so. */
    public KillSwitch beingReleased() {
        return new KillSwitch(true, actor, reason + BEING_RELEASED, at);
    }

    /** Returns the engaged switch as a sentence for people. */
    public String describe() {
        return ENGAGED_BY + actor + " at " + at + ": " + reason;
    }

    /** Writes the switch. */
    public io.redliner.contract.v1.KillSwitch write() {
        return io.redliner.contract.v1.KillSwitch.newBuilder()
                .setEngaged(engaged)
                .setActor(actor)
                .setReason(reason)
                .setAtMs(at.toEpochMilli())
                .build();
    }

    /** Returns the record of the topic of leases that has this switch; its key is empty. */
    public io.redliner.contract.v1.Lease topicRecord() {
        return io.redliner.contract.v1.Lease.newBuilder().setKillSwitch(write()).build();
    }

    /**
     * Reads a switch. It is obeyed whatever its time is. A time out of range becomes the nearest one that can be shown.
     *
     * @param text makes a text from outside safe to show
     */
    public static KillSwitch read(io.redliner.contract.v1.KillSwitch killSwitch, UnaryOperator<String> text) {
        return new KillSwitch(killSwitch.getEngaged(), text.apply(killSwitch.getActor()),
                text.apply(killSwitch.getReason()),
                WireInstant.nearest(killSwitch.getAtMs()));
    }
}
