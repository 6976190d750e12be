// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/** What becomes of a firing whose time passed while no controller was up. */
public enum MisfirePolicy {
    RUN, SKIP
}
