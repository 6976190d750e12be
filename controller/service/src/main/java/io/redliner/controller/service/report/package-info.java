// SPDX-License-Identifier: Apache-2.0
/**
 * One report of a run, live or over, from its state and what its windows come to. It goes out as JSON, CSV, JUnit or HTML.
 */
@NullMarked
package io.redliner.controller.service.report;

import org.jspecify.annotations.NullMarked;
