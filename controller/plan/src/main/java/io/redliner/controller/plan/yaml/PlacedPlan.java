// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.Plan;

/**
 * A plan of a text with several.
 *
 * @param line at which its document begins, 1-based
 */
public record PlacedPlan(Plan plan, int line) {}
