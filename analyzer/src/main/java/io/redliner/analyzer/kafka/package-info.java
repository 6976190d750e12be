// SPDX-License-Identifier: Apache-2.0
/**
 * Observations and runs come in from Kafka Streams. Each partition's services are analyzed one record at a time, what
 * was decided is kept before it is sent, and bad records go to a dead-letter topic. Verdicts go out to their topic, and
 * the state of it all to health.
 */
@NullMarked
package io.redliner.analyzer.kafka;

import org.jspecify.annotations.NullMarked;
