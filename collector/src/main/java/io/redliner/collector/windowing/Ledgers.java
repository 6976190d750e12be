// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Where everything that came in went. */
record Ledgers(WindowMetrics records, MeasurementLedger measurements) {}
