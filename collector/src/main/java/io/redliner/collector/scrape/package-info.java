// SPDX-License-Identifier: Apache-2.0
/**
 * Answers of instances to HTTP requests for their metrics come in, in Prometheus' text format, OpenMetrics, or
 * Prometheus' protobuf format. They are read up to fixed limits, and failures are counted by their reason. Points go
 * out to be translated.
 */
@NullMarked
package io.redliner.collector.scrape;

import org.jspecify.annotations.NullMarked;
