// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/** Decides about a firing whose time passed while no controller was up: run it late, or skip it. */
public enum MisfirePolicy {
    RUN, SKIP
}
