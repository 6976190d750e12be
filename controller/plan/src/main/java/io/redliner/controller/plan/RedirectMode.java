// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/** The ways to move traffic to the instance under test. */
public enum RedirectMode {

    /** By the weights of two clusters, the SUT and its peers, request by request. */
    SPLIT,
    /** By the weights of endpoints in one cluster, request by request; the peers keep their proportions. */
    ENDPOINT_WEIGHT,
    /** By an integer attribute modulo a number: a user stays on one side. */
    MODULO,
    /** By the hash of an attribute: a user stays on one side. */
    HASH
}
