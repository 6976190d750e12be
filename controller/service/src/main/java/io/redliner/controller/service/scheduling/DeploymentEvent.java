// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report of a deployment.
 *
 * @param instances that run the version; empty when the report does not name them
 * @param at time of the deployment; null when it was not reported
 * @param id the same in every report of this deployment; null when it was not reported
 */
public record DeploymentEvent(String service, String version, List<String> instances, @Nullable Instant at,
        @Nullable String id) {}
