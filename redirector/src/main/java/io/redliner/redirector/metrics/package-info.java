// SPDX-License-Identifier: Apache-2.0
/**
 * What the redirector counts. Decisions about leases and statuses come in; nothing is decided. Counters and gauges go out to
 * Micrometer.
 */
@NullMarked
package io.redliner.redirector.metrics;

import org.jspecify.annotations.NullMarked;
