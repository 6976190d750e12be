// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import java.time.Instant;

/**
 * A version of a service that was deployed.
 *
 * @param id of the deployment, the last one of the version
 * @param at the time of that deployment
 * @param named true when it named its instances
 */
public record Rollout(String id, String version, Instant at, boolean named) {}
