// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/** The kinds of performance test: the same loop with another step plan and another question. */
public enum Profile {

    /** Does everything work: does the SLA hold, and has each rule an answer? */
    SMOKE,
    /** Does the SLA hold at this load? */
    LOAD,
    /** How much load does the SLA hold at? */
    CAPACITY,
    /** At which load does it fail for good? */
    BREAKPOINT,
    /** How does it recover from an overload? */
    STRESS,
    /** How does it recover from a sudden rise? */
    SPIKE,
    /** Does it stay as it is for hours? */
    ENDURANCE,
    /** How does the capacity grow with the size? */
    SCALABILITY,
    /** Which resource limits the capacity? */
    BOTTLENECK,
    /** Is the new one worse than the old one? */
    REGRESSION,
    /** Is the capacity as it was? */
    RECHECK;

    /** Returns true when the profile's runs search for a capacity. */
    public boolean searches() {
        return this == CAPACITY || this == BOTTLENECK || series();
    }

    /** Returns true when the profile is made of several runs. */
    public boolean series() {
        return this == SCALABILITY || this == REGRESSION;
    }
}
