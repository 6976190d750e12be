// SPDX-License-Identifier: Apache-2.0
/**
 * Answers of a Prometheus server to PromQL queries come in at regular times. Samples that are stale, no number, or of an instance
 * that is not certain are left out, and health says why. Gauges of instances go out, each at the time of its own sample.
 */
@NullMarked
package io.redliner.collector.prometheus;

import org.jspecify.annotations.NullMarked;
