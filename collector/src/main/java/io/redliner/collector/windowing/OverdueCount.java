// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;

/**
 * Hanging requests against one latency limit in one window; {@code latency above the limit + newlyOverdue - settled}
 * counts each slow request once.
 *
 * @param limit the latency limit
 * @param newlyOverdue requests in flight at the window's end that are older than the limit, counted for the first time
 * @param settled requests that ended in this window and had been counted before
 */
public record OverdueCount(Duration limit, long newlyOverdue, long settled) {}
