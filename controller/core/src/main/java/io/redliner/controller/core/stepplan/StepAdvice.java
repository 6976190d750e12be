// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import org.jspecify.annotations.Nullable;

/**
 * What a step plan says after a window.
 *
 * @param progress where it is now
 * @param answer its end; absent while it goes on
 */
public record StepAdvice(StepPlanProgress progress, @Nullable StepPlanResult answer) {}
