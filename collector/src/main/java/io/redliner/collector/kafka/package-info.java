// SPDX-License-Identifier: Apache-2.0
/**
 * Runs, lease statuses and closed windows come in. Runs and statuses are applied to the windows and the list of
 * instances, and windows are encoded and kept while Kafka is away. Observations go out to their topic.
 */
@NullMarked
package io.redliner.collector.kafka;

import org.jspecify.annotations.NullMarked;
