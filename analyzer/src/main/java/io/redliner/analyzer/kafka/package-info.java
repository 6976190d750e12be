// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the analysis on Kafka Streams. Observations and runs come in, and each partition's services are analyzed one record at a
 * time. Decisions are stored before verdicts are sent, bad records go to a dead-letter topic, and health reports the state.
 */
@NullMarked
package io.redliner.analyzer.kafka;

import org.jspecify.annotations.NullMarked;
