// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/** How traffic is moved to the instance under test. Only {@link #SPLIT} is available in this version. */
public enum RedirectMode {

    /** Two weighted clusters: the SUT and its peers. */
    SPLIT,
    /** Endpoint weights. */
    ENDPOINT_WEIGHT,
    /** Users by an integer attribute modulo the total weight. */
    MODULO,
    /** Users by the hash of an attribute. */
    HASH;

    /** Whether this version can do it. */
    public boolean available() {
        return this == SPLIT;
    }
}
