// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.time.Duration;
import java.time.Instant;

/**
 * A request to begin a run.
 *
 * @param cluster whose proxies it uses
 * @param at now
 * @param longest the longest time that the run may take
 */
public record StartRequest(String service, String cluster, Instant at, Duration longest) {}
