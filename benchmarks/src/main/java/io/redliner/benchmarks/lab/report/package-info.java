// SPDX-License-Identifier: Apache-2.0
/** Statistics of many lab runs, as text, CSV, tables and charts. */
@NullMarked
package io.redliner.benchmarks.lab.report;

import org.jspecify.annotations.NullMarked;
