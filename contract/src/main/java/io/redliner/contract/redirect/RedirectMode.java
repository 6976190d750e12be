// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

/** The ways to move traffic to the instance under test. */
public enum RedirectMode {

    /** By the weights of two clusters, the SUT and its peers, request by request. */
    SPLIT(false),
    /** By the weights of endpoints in one cluster, request by request; the peers keep their proportions. */
    ENDPOINT_WEIGHT(false),
    /** By an integer attribute modulo a number: a user stays on one side. */
    MODULO(true),
    /** By the hash of an attribute: a user stays on one side. */
    HASH(true);

    private final boolean sticky;

    RedirectMode(boolean sticky) {
        this.sticky = sticky;
    }

    /** Returns true when the mode chooses users, not requests. */
    public boolean sticky() {
        return sticky;
    }
}
