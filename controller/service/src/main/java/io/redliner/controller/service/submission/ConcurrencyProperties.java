// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.core.run.StartPolicy;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of concurrent runs.
 *
 * @param runs maximum number of live runs over all controllers
 * @param runsPerCluster maximum number of live runs in one cluster
 * @param clusters names of services by cluster; a service in none belongs to the cluster {@code default}
 */
@ConfigurationProperties("redliner.controller.safety")
public record ConcurrencyProperties(@DefaultValue("100") int runs, @DefaultValue("20") int runsPerCluster,
        @DefaultValue Map<String, List<String>> clusters) {

    private static final String DEFAULT = "default";

    /**
     * Creates the policy that applies the limits.
     *
     * @throws IllegalArgumentException when a limit is below 1
     */
    StartPolicy startPolicy() {
        return new StartPolicy(runs, runsPerCluster);
    }

    /** Returns the cluster of a service. */
    String cluster(String service) {
        return clusters.entrySet()
                .stream()
                .filter(cluster -> cluster.getValue().contains(service))
                .map(Map.Entry::getKey)
                .sorted()
                .findFirst()
                .orElse(DEFAULT);
    }
}
