// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.redliner.redirector.discovery.DiscoveryManager.RoutedServicesListener;
import io.redliner.redirector.routing.RoutedServices;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DiscoveryConfiguration {

    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(3);

    private static final int TIMEOUT_MILLIS = 5_000;

    @Bean
    DnsDiscovery dnsDiscovery() {
        return new DnsDiscovery();
    }

    /** Connects to no cluster until a service needs one. */
    @Bean
    KubernetesDiscovery kubernetesDiscovery(InstantSource clock) {
        return new KubernetesDiscovery(DiscoveryConfiguration::client, PROBE_INTERVAL, clock);
    }

    /** For the cluster that this process runs in, or the one that the kubeconfig names. */
    private static KubernetesClient client() {
        Config config = new ConfigBuilder(Config.autoConfigure(null))
                .withRequestTimeout(TIMEOUT_MILLIS)
                .withConnectionTimeout(TIMEOUT_MILLIS)
                // A failure must show at once; the callers retry anyway.
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Returns the services at the start: the instances that DNS or Kubernetes supply are not known yet. */
    @Bean
    RoutedServices serviceCatalog(ServiceDefinitions definitions) {
        return DiscoveryState.of(definitions).routedServices();
    }

    @Bean(initMethod = "begin")
    DiscoveryManager discoveryManager(ServiceDefinitions definitions, RoutedServicesListener listener,
            List<EndpointDiscovery<?>> finders) {
        return new DiscoveryManager(definitions, listener, finders);
    }

    @Bean
    HealthIndicator servicesHealthIndicator(DiscoveryManager manager) {
        return () -> {
            Map<String, String> problems = manager.problems();
            return problems.isEmpty() ? Health.up().build() : Health.down().withDetails(problems).build();
        };
    }
}
