// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.core.run.StartPolicy;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How many runs there may be at once.
 *
 * @param runs over all controllers
 * @param runsPerCluster in one cluster
 * @param clusters the services of each cluster; a service in none is in the cluster {@code default}
 */
@ConfigurationProperties("redliner.controller.safety")
public record ConcurrencyProperties(@DefaultValue("100") int runs, @DefaultValue("20") int runsPerCluster,
        @DefaultValue Map<String, List<String>> clusters) {

    private static final String DEFAULT = "default";

    /** @throws IllegalArgumentException when nothing could ever begin */
    StartPolicy startPolicy() {
        return new StartPolicy(runs, runsPerCluster);
    }

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
