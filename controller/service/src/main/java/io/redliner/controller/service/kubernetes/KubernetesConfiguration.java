// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.persistence.PlanRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.scheduling.RecurringJob;
import io.redliner.controller.service.scheduling.RunStarter;
import io.redliner.controller.service.scheduling.SeriesService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the Kubernetes objects, where they are followed. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "redliner.controller.kubernetes", name = "enabled")
@EnableConfigurationProperties(KubernetesProperties.class)
class KubernetesConfiguration {

    private static final int TIMEOUT_MILLIS = 5_000;

    /** Another controller looks at the objects when this one has not for so many intervals. */
    private static final int MAX_MISSED = 10;

    /** For the cluster that this process runs in, or the one that the kubeconfig names. A failure shows at once: the next look retries. */
    @Bean(destroyMethod = "close")
    KubernetesClient kubernetesClient() {
        Config config = new ConfigBuilder(Config.autoConfigure(null))
                .withRequestTimeout(TIMEOUT_MILLIS)
                .withConnectionTimeout(TIMEOUT_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Bean
    KubernetesReconciler kubernetesReconciler(KubernetesProperties properties, KubernetesClient client,
            PlanReader reader, PlanWriter writer, CalendarLookup calendars, PlanRepository plans,
            RunReadRepository runs, RunRepository liveRuns, RunStarter starter, RunCommands commands,
            SeriesService series, ServiceCatalog catalog, InstantSource clock) {
        return new KubernetesReconciler(properties, new KubernetesObjects(client),
                new CapacityTestDecider(reader, writer, calendars), writer, plans, runs, liveRuns, starter,
                commands, series, catalog, clock);
    }

    @Bean
    RecurringJob kubernetesJob(KubernetesReconciler reconciler, KubernetesProperties properties) {
        return new RecurringJob("kubernetes", properties.interval(), reconciler::reconcile);
    }

    /** Down while this controller follows the objects and cannot read or write some of them. */
    @Bean
    HealthIndicator kubernetesHealthIndicator(KubernetesReconciler reconciler, KubernetesProperties properties,
            InstantSource clock) {
        Duration current = properties.interval().multipliedBy(MAX_MISSED);
        return () -> health(reconciler.lastLook(), reconciler.lookingSince(), current, clock.instant());
    }

    static Health health(KubernetesReconciler.Look last, @Nullable Instant lookingSince, Duration current,
            Instant now) {
        if (lookingSince != null && lookingSince.plus(current).isBefore(now)) {
            return Health.down().withDetails(last.problems())
                    .withDetail("look", "under way since " + lookingSince + ": what is the case now is not known")
                    .build();
        }
        return last.problems().isEmpty() || (lookingSince == null && last.at().plus(current).isBefore(now))
                ? Health.up().build()
                : Health.down().withDetails(last.problems()).build();
    }
}
