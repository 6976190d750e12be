// SPDX-License-Identifier: Apache-2.0
/**
 * Kafka's side. Records of the topic of leases come in, from its beginning. It is decided when the old ones have been read, and
 * which statuses can wait; leases go out to the event loop, statuses to their topic.
 */
@NullMarked
package io.redliner.redirector.kafka;

import org.jspecify.annotations.NullMarked;
