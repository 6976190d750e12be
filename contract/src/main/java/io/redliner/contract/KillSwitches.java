// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

/**
 * How the kill switch is kept from being released by a record that no controller wrote. Records are obeyed in the order of the
 * topic. Controllers repeat an engaged switch, and redirectors obey a release only after a time without such a repetition.
 */
public final class KillSwitches {

    /** The longest interval at which each controller repeats the record of an engaged kill switch, in ms. */
    public static final long MAX_REPEAT_INTERVAL_MILLIS = 1_000;

    /** The time after a release in which a redirector still obeys the engaged switch, in ms. A repetition in it cancels the release. */
    public static final long RELEASE_DELAY_MILLIS = 2_000;

    /** The reason for which a lease is not in force begins so, or has it in it, when it is the kill switch; for people. */
    public static final String ENGAGED_BY = "the kill switch was engaged by ";

    private KillSwitches() {}
}
