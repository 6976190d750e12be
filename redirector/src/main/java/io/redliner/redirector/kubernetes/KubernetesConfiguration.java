// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class KubernetesConfiguration {

    private static final Duration PROBE_EVERY = Duration.ofSeconds(3);

    private static final int TIMEOUT_MILLIS = 5_000;

    /** Reaches for no cluster until a service asks for one. */
    @Bean
    KubernetesFleets kubernetesFleets() {
        return new KubernetesFleets(KubernetesConfiguration::client, PROBE_EVERY);
    }

    /** For the cluster that this process runs in, or the one that the kubeconfig names. */
    private static KubernetesClient client() {
        Config config = new ConfigBuilder(Config.autoConfigure(null))
                .withRequestTimeout(TIMEOUT_MILLIS)
                .withConnectionTimeout(TIMEOUT_MILLIS)
                // A failure is to be seen at once; those who ask ask again anyway.
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
