// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * The reason why a run stopped.
 *
 * @param detail one sentence for people, with the names and values involved
 */
public record StopReason(StopCode code, String detail) {}
