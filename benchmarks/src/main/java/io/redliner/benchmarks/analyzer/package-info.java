// SPDX-License-Identifier: Apache-2.0
/** Benches of one analyzer: observations a second, the time from the last observation to the verdict, and one window without Kafka (JMH). */
@NullMarked
package io.redliner.benchmarks.analyzer;

import org.jspecify.annotations.NullMarked;
