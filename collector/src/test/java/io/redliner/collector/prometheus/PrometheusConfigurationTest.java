// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.MeasurementSink;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PrometheusConfigurationTest {

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        InstanceRegistry registry = new InstanceRegistry(List.of());
        return new ApplicationContextRunner().withUserConfiguration(PrometheusConfiguration.class)
                .withBean(InstanceRegistry.class, () -> registry)
                .withBean("local", LocalInstances.class, () -> new LocalInstances(registry, folder))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(MeasurementSink.class, () -> measured -> {})
                .withBean(InstantSource.class, InstantSource::system);
    }

    @Test
    void no_server_is_asked_without_a_url() {
        runner().run(context -> assertThat(context).doesNotHaveBean("prometheusSource"));
    }

    @Test
    void with_a_url_and_a_preset_the_source_runs_and_counts() {
        runner().withPropertyValues("redliner.collector.prometheus.url=http://127.0.0.1:9",
                "redliner.collector.prometheus.presets[0].name=node-exporter").run(context -> {
                    MetricSource source = context.getBean("prometheusSource", MetricSource.class);
                    assertThat(source.name()).isEqualTo("prometheus");
                    assertThat(source.health().state()).isNotEqualTo(SourceHealth.State.DEAD);
                    assertThat(context.getBean(MeterRegistry.class).get("redliner.prometheus.queries")
                            .tag("result", "failed").tag("reason", "timeout").counter().count()).isZero();
                });
    }

    @Test
    void a_url_without_anything_to_ask_ends_the_start() {
        runner().withPropertyValues("redliner.collector.prometheus.url=http://127.0.0.1:9")
                .run(context -> assertThat(context).hasFailed());
    }
}
