// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.WindowVerdict;

/**
 * A judged window of a report.
 *
 * @param phase of the run after it
 * @param asked share in force when it ended, a ratio
 */
public record ReportWindow(String phase, double asked, WindowVerdict verdict) {}
