// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * The analyzer's advice; the controller follows it within its own bounds.
 *
 * @param targetRequestsPerSecond the load that the SUT should get next
 * @param reason one sentence for people
 * @param step grows when the search moves to another load
 */
public record SearchAdvice(AdviceAction action, double targetRequestsPerSecond, SearchPhase phase, String reason,
        int step) {}
