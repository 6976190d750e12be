// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * A measurement other than those of requests: CPU, garbage collections, sockets and the like. No decision depends on it.
 *
 * @param name as collectors report it
 * @param value finite
 * @param unit as of {@link RuleResult}; empty when the name tells the unit
 */
public record GaugeSample(String name, double value, String unit) {}
