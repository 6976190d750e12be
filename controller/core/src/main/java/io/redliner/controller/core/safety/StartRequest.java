// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.time.Duration;
import java.time.Instant;

/**
 * A run that wants to begin.
 *
 * @param cluster whose proxies it uses
 * @param at now
 * @param longest that it may take
 */
public record StartRequest(String service, String cluster, Instant at, Duration longest) {}
