// SPDX-License-Identifier: Apache-2.0
/** Kafka's side: leases in, lease status out. */
@NullMarked
package io.redliner.redirector.kafka;

import org.jspecify.annotations.NullMarked;
