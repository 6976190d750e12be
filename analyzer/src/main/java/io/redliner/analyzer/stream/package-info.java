// SPDX-License-Identifier: Apache-2.0
/** Between Kafka and the analysis: reads observations and runs, and writes verdicts. */
@NullMarked
package io.redliner.analyzer.stream;

import org.jspecify.annotations.NullMarked;
