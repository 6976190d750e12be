// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.ListenerTls;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

class OtlpPropertiesTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Settings.class);

    @Test
    void it_has_sensible_defaults() {
        runner.run(context -> assertThat(context.getBean(OtlpProperties.class))
                .isEqualTo(new OtlpProperties("127.0.0.1", 4317, true, DataSize.ofMegabytes(4), ListenerTls.NONE)));
    }

    @Test
    void it_takes_its_settings() {
        runner.withPropertyValues("redliner.collector.otlp.address=0.0.0.0", "redliner.collector.otlp.port=1",
                "redliner.collector.otlp.http=false", "redliner.collector.otlp.max-message=1MB")
                .run(context -> assertThat(context.getBean(OtlpProperties.class))
                        .isEqualTo(new OtlpProperties("0.0.0.0", 1, false, DataSize.ofMegabytes(1), ListenerTls.NONE)));
    }

    @Test
    void settings_that_make_no_sense_end_the_start_with_the_reason() {
        refused("redliner.collector.otlp.port=65536", "0 to 65535");
        refused("redliner.collector.otlp.max-message=100B", "1KB to 64MB");
        refused("redliner.collector.otlp.max-message=1GB", "1KB to 64MB");
    }

    private void refused(String setting, String reason) {
        runner.withPropertyValues(setting)
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(reason));
    }

    @EnableConfigurationProperties(OtlpProperties.class)
    static class Settings {}
}
