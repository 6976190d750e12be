// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/** The kinds of performance test. Only {@link #CAPACITY} is available in this version. */
public enum Profile {

    SMOKE, LOAD, CAPACITY, BREAKPOINT, STRESS, SPIKE, ENDURANCE, SCALABILITY, BOTTLENECK, REGRESSION;

    /** Whether this version can run it. */
    public boolean available() {
        return this == CAPACITY;
    }
}
