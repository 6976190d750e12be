// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.collector.http.HttpCredentials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

class ScrapePropertiesTest {

    @Test
    void nothing_has_to_be_set() {
        assertThat(bind(Map.of())).isEqualTo(new ScrapeProperties(false, Duration.ofSeconds(10), Duration.ofSeconds(3),
                DataSize.ofMegabytes(16), 20_000, 100, HttpCredentials.NONE));
    }

    @Test
    void everything_can_be_set() {
        assertThat(bind(Map.of("enabled", "true", "interval", "1s", "timeout", "500ms", "max-bytes", "1MB",
                "max-series", "5", "parallel", "2", "credentials.username", "reader", "credentials.password", "secret",
                "credentials.ca", "/etc/ca.pem")))
                .isEqualTo(new ScrapeProperties(true, Duration.ofSeconds(1), Duration.ofMillis(500),
                        DataSize.ofMegabytes(1), 5, 2,
                        new HttpCredentials("reader", "secret", null, Path.of("/etc/ca.pem"))));
    }

    @Test
    void settings_that_make_no_sense_are_rejected() {
        refused("interval", "1ms", "interval is 100ms to 10m");
        refused("timeout", "11s", "no longer than the interval");
        refused("max-bytes", "1GB", "max-bytes is 1KB to 256MB");
        refused("parallel", "0", "parallel 1 to 10000");
    }

    @Test
    void credentials_that_contradict_each_other_are_refused_and_none_is_in_a_text() {
        refused("credentials.username", "reader", "username and password go together");
        assertThatThrownBy(() -> bind(Map.of("credentials.username", "reader", "credentials.password", "secret",
                "credentials.bearer-token-file", "/run/token"))).hasStackTraceContaining("are two ways");
        assertThat(bind(Map.of("credentials.username", "reader", "credentials.password", "secret"))).asString()
                .contains("reader").doesNotContain("secret");
    }

    private static void refused(String name, String value, String reason) {
        assertThatThrownBy(() -> bind(Map.of(name, value))).hasStackTraceContaining(reason);
    }

    private static ScrapeProperties bind(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings.entrySet().stream()
                .collect(Collectors.toMap(entry -> "redliner.collector.scrape." + entry.getKey(),
                        Map.Entry::getValue))))
                .bindOrCreate("redliner.collector.scrape", ScrapeProperties.class);
    }
}
