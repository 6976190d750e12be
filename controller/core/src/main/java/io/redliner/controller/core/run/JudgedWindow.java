// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.Ppm;

/**
 * A window that was judged.
 *
 * @param phase of the run after it
 * @param asked the share that was asked for when the verdict arrived
 */
public record JudgedWindow(String phase, Ppm asked, WindowVerdict verdict) {}
