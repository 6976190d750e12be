// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.Plan;

/** What a request for a run asks to execute. */
public sealed interface RunOrder {

    /** The current version of a stored plan. */
    record Named(String plan) implements RunOrder {}

    /** A plan that came with the request. */
    record Inline(Plan plan) implements RunOrder {}
}
