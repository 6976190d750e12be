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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                "services.yaml:3:14: $.services[0].timeout: '90' is no duration",
                "; services.yaml:5:42: $.services[0].instances[0].weight: 'two' is not a whole number without a unit",
                "; services.yaml:8:10: $.services[1].dns.name: is required and missing",
                "; services.yaml:8:11: $.services[1].dns.nam: is unknown here; known are name, port, every, server;"
                        + " did you mean name?");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "timeout: 15                                           | timeout            | '15' is no duration: ",
        "timeout: 5ns                                          | timeout            | '5ns' is finer than a microsecond, which nothing here is: ",
        "ejection: {consecutiveErrors: 5, interval: 1}         | ejection.interval  | '1' is no duration: ",
        "ejection: {consecutiveErrors: 5, baseTime: 30 s}      | ejection.baseTime  | '30 s' is no duration: ",
        "dns: {name: shop.example, port: 80, every: 2}         | dns.every          | '2' is no duration: "})
    void a_duration_that_is_refused_is_quoted(String field, String path, String problem) {
        String text = "services:\n  - name: shop\n    " + field + "\n"
                + (path.startsWith("dns") ? "" : "    instances: [10.0.0.1:80, 10.0.0.2:80]\n");
        int column = field.indexOf(problem.substring(1, problem.indexOf('\'', 1)), field.lastIndexOf(':')) + 5;

        assertThatThrownBy(() -> source(text)).hasMessage("services.yaml:3:" + column + ": $.services[0]." + path
                + ": " + problem.stripTrailing() + " write it with units, as 250ms, 0.5s, 500us or 1m30s");
    }

    private static EndpointSource source(String text) {
        return ServicesFileParser.parse("services.yaml", text).services().getFirst().source();
    }
}
