// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class PrometheusPropertiesTest {

    private static final Map<String, String> LEAST = Map.of("url", "http://prometheus:9090/prefix", "presets[0].name",
            "node-exporter");

    @Test
    void a_url_and_a_preset_are_enough() {
        PrometheusProperties properties = bind(LEAST);

        assertThat(properties.interval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(properties.scrapeInterval()).isEqualTo(Duration.ofSeconds(15));
        assertThat(properties.allQueries()).extracting(PromQuery::gauge).contains("cpu", "memory", "net.link",
                "disk.busy");
    }

    @Test
    void queries_of_ones_own_come_before_those_of_presets() {
        PrometheusProperties properties = bind(with(Map.of("queries[0].gauge", "cpu", "queries[0].query",
                "sum by (instance) (rate(cpu_seconds_total[$__rate_interval])) / 4", "queries[0].time",
                "timestamp(cpu_seconds_total)", "queries[1].gauge", "queue_depth", "queries[1].query",
                "queue_depth{kind=\"orders\"}", "queries[1].labels", "pod,instance")));

        assertThat(properties.allQueries().getFirst().query()).startsWith("sum by");
        assertThat(properties.allQueries().get(1).time()).isEqualTo("timestamp(queue_depth{kind=\"orders\"})");
        assertThat(properties.allQueries().get(1).labels()).containsExactly("pod", "instance");
    }

    @Test
    void the_variable_of_a_dashboard_is_four_scrape_intervals() {
        assertThat(PromQuery.expand("rate(a[$__rate_interval])", 15_000)).isEqualTo("rate(a[60000ms])");
    }

    @ParameterizedTest
    @EnumSource
    void matchers_are_in_each_selector_of_a_preset(PrometheusPreset preset) {
        assertThat(preset.queries("job=\"shop\"")).allSatisfy(query -> {
            assertThat(query.query()).contains("job=\"shop\"}").doesNotContain("$m");
            assertThat(query.time()).contains("timestamp(", "job=\"shop\"}").doesNotContain("$m");
        });
        assertThat(preset.queries("")).allSatisfy(query -> assertThat(query.query()).doesNotContain("$m"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"url | prometheus:9090 | url is the http or https URL of a Prometheus server",
        "url | http://reader:secret@prometheus | credentials.username and .password instead",
        "interval | 100ms | interval is 1s to 10m", "scrape-interval | 1h | scrape-interval is 1s to 10m",
        "timeout | 6s | no longer than the interval", "max-bytes | 1GB | max-bytes is 1KB to 64MB",
        "queries[0].gauge | latency.p99 | the collector itself measures latency.p99",
        "queries[0].gauge | qps | the collector itself measures qps",
        "queries[0].query | rate(a[1m]) | depth is more than a selector and needs time",
        "queries[0].regex | ( | regex and replacement of depth", "queries[0].replacement | $2 | No group 2"})
    void settings_that_make_no_sense_are_rejected(String name, String value, String reason) {
        Map<String, String> settings = new HashMap<>(
                with(Map.of("queries[0].gauge", "depth", "queries[0].query", "a")));
        settings.put(name, value);

        assertThatThrownBy(() -> bind(settings)).hasStackTraceContaining(reason);
    }

    @Test
    void something_has_to_be_asked() {
        assertThatThrownBy(() -> bind(Map.of("url", "http://prometheus:9090")))
                .hasStackTraceContaining("NODE_EXPORTER, KUBERNETES, MICROMETER");
    }

    private static Map<String, String> with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(LEAST);
        all.putAll(more);
        return all;
    }

    private static PrometheusProperties bind(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings.entrySet().stream()
                .collect(Collectors.toMap(entry -> PrometheusProperties.PREFIX + "." + entry.getKey(),
                        Map.Entry::getValue))))
                .bindOrCreate(PrometheusProperties.PREFIX, PrometheusProperties.class);
    }
}
