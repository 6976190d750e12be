// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * Something that was measured beside the requests: CPU, collections, sockets and the like. Nothing is decided by it.
 *
 * @param name as collectors report it
 * @param value finite
 * @param unit as of {@link RuleResult}; empty where the value is what its name says
 */
public record GaugeSample(String name, double value, String unit) {}
