// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import java.time.Instant;

/**
 * A version of a service that was deployed.
 *
 * @param at the last time
 * @param named true when that deployment named its instances
 */
public record Rollout(String version, Instant at, boolean named) {}
