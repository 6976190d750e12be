// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

/** Where everything that came in went. */
record Ledgers(RecordLedger records, MeasurementLedger measurements) {}
