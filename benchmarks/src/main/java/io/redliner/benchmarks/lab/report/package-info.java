// SPDX-License-Identifier: Apache-2.0
/** Figures of many runs. */
@NullMarked
package io.redliner.benchmarks.lab.report;

import org.jspecify.annotations.NullMarked;
