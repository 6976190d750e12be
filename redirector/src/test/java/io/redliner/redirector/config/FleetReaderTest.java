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

    @Test
    void all_mistakes_are_reported_at_once_with_what_may_have_been_meant() {
        String text = """
                services:
                  - name: shop
                    timeout: 90
                    instances:
                      - {address: "10.0.0.1:80", weight: two}
                      - 10.0.0.2:80
                  - name: cart
                    dns: {nam: cart.example, port: 80}
                """;

        assertThatThrownBy(() -> source(text)).hasMessageContainingAll(
                "services.yaml:3:14: $.services[0].timeout: is no duration",
                "; services.yaml:5:42: $.services[0].instances[0].weight: 'two' is not a whole number without a unit",
                "; services.yaml:8:10: $.services[1].dns.name: is required and missing",
                "; services.yaml:8:11: $.services[1].dns.nam: is unknown here; known are name, port, every, server;"
                        + " did you mean name?");
    }

    private static EndpointSource source(String text) {
        return ServicesFileParser.parse("services.yaml", text).services().getFirst().source();
    }
}
