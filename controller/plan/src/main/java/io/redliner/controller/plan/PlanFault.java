// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/**
 * Something in a plan that can be read, and yet cannot be, as things are now.
 *
 * @param path JSON path of the field at fault
 */
public record PlanFault(String path, String message) {}
