// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.timeline;

import io.redliner.controller.run.WindowVerdict;

/**
 * A judged window.
 *
 * @param phase of the run after it
 * @param asked share that was asked for when its verdict arrived, a ratio
 */
public record Moment(String phase, double asked, WindowVerdict verdict) {}
