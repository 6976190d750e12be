// SPDX-License-Identifier: Apache-2.0
/**
 * Asks instances for their metrics as Prometheus does: over HTTP, in Prometheus' text format, OpenMetrics, or Prometheus'
 * protobuf format.
 */
@NullMarked
package io.redliner.collector.scrape;

import org.jspecify.annotations.NullMarked;
