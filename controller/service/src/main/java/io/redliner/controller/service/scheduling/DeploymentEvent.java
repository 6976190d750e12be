// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody says was deployed.
 *
 * @param instances that run the version; empty when they do not say
 * @param at when; null when they do not say
 * @param id the same for every time that it is said; null when they do not say
 */
public record DeploymentEvent(String service, String version, List<String> instances, @Nullable Instant at,
        @Nullable String id) {}
