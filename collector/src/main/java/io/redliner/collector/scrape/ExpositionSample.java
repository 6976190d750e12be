// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.metrics.Labels;
import java.time.Instant;

/**
 * One line of text.
 *
 * @param suffix the end of its name after the family's; mostly nothing
 * @param bound its label {@code le} or {@code quantile}, if the family's kind has one; NaN: none
 * @param labels the others
 */
record ExpositionSample(String suffix, double bound, Labels labels, double value, Instant time) {}
