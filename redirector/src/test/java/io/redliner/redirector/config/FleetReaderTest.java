// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FleetReaderTest {

    @Test
    void reads_the_machine_that_an_instance_runs_on() {
        String text = """
                services:
                  - name: shop
                    instances:
                      - {address: "10.0.0.1:80", host: web-1}
                      - {address: "10.0.0.2:80", host: web-1, weight: 2}
                      - 10.0.0.3:80
                """;

        assertThat(source(text)).isEqualTo(new EndpointSource.Listed(List.of(
                new Instance(new HostPort("10.0.0.1", 80), 1, Optional.of("web-1")),
                new Instance(new HostPort("10.0.0.2", 80), 2, Optional.of("web-1")),
                new Instance(new HostPort("10.0.0.3", 80), 1))));
        assertThatThrownBy(() -> source(text.replace("host: web-1}", "host: \"\"}")))
                .hasMessageContaining("services.yaml:4:").hasMessageContaining("1 to 253 characters");
    }

    private static EndpointSource source(String text) {
        return ServicesFileParser.parse("services.yaml", text).services().getFirst().source();
    }
}
