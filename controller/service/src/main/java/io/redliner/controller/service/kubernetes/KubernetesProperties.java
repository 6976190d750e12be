// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The Kubernetes objects that are followed, in the cluster of this process or of its kubeconfig.
 *
 * @param enabled false: no cluster is asked for anything
 * @param namespaces whose objects are followed; empty: all
 * @param holdAutoscalers true when runs hold the objects that scale their services
 * @param interval from the end of one look at them to the next, 500 ms to 10 min
 */
@ConfigurationProperties("redliner.controller.kubernetes")
record KubernetesProperties(boolean enabled, @DefaultValue List<String> namespaces, boolean holdAutoscalers,
        @DefaultValue("2s") Duration interval) {

    /** @throws IllegalArgumentException when a value is out of its range */
    KubernetesProperties {
        namespaces = List.copyOf(namespaces);
        if (interval.compareTo(Duration.ofMillis(500)) < 0 || interval.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException("redliner.controller.kubernetes.interval is between 500ms and 10m");
        }
    }
}
