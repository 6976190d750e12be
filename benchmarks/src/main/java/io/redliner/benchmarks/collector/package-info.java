// SPDX-License-Identifier: Apache-2.0
/** Benches of the collector: access-log entries a second, and one window of observations (JMH). */
@NullMarked
package io.redliner.benchmarks.collector;

import org.jspecify.annotations.NullMarked;
