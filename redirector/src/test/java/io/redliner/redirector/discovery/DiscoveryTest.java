// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import static io.redliner.redirector.testing.Promptly.promptly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.testing.Catalogs;
import io.redliner.redirector.testing.SmallDnsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;

class DiscoveryTest {

    private static final String CART = """
            services:
              - name: cart
                listen: "0.0.0.0:10000"
                instances: ["10.0.0.1:80", "10.0.0.2:80"]
            """;

    /** A port on which nobody answers: what is asked there stays unknown. */
    private static final String SEARCH = """
              - name: search
                proxies: edge
                dns: {name: search.example.com, port: 80, server: "127.0.0.1:1"}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** Not a {@code @Configuration}: the scan of other tests must not find it. */
    @ComponentScan({"io.redliner.redirector.config", "io.redliner.redirector.discovery"})
    static class Parts {

        @Bean
        InstantSource clock() {
            return InstantSource.system();
        }

        /** Stands for the redirector's loop: it takes the first catalog and hears of the others. */
        @Bean
        Catalogs catalogs(RoutedServices first) {
            Catalogs catalogs = new Catalogs();
            catalogs.replaced(first);
            return catalogs;
        }
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("services.yaml"), text);
    }

    private static ConfigurableApplicationContext start(Path file) {
        return new SpringApplicationBuilder(Parts.class).web(WebApplicationType.NONE)
                .run("--redliner.redirector.services.file=" + file);
    }

    private static Status status(ConfigurableApplicationContext context) {
        return Objects.requireNonNull(indicator(context).health(true)).getStatus();
    }

    private static Map<String, Object> details(ConfigurableApplicationContext context) {
        return Objects.requireNonNull(indicator(context).health(true)).getDetails();
    }

    private static HealthIndicator indicator(ConfigurableApplicationContext context) {
        return context.getBean("servicesHealthIndicator", HealthIndicator.class);
    }

    @Test
    void a_changed_file_takes_effect_within_a_second() throws IOException {
        // given
        Path file = write(CART);
        try (var context = start(file)) {
            Catalogs catalogs = context.getBean(Catalogs.class);
            assertThat(catalogs.names()).containsExactly("cart");
            assertThat(status(context)).isEqualTo(Status.UP);

            // when
            write(CART.replace("10.0.0.2", "10.0.0.3"));

            // then
            promptly("a changed fleet",
                    () -> assertThat(catalogs.addresses("cart")).containsExactly("10.0.0.1:80", "10.0.0.3:80"));

            // when
            write(CART + CART.substring(CART.indexOf('\n') + 1).replace("cart", "profile").replace("10000", "10001"));

            // then
            promptly("an added service", () -> assertThat(catalogs.names()).containsExactly("cart", "profile"));

            // when
            write(CART.replace("cart", "profile"));

            // then
            promptly("a removed service", () -> assertThat(catalogs.names()).containsExactly("profile"));
        }
    }

    @Test
    void a_broken_file_changes_nothing_and_shows_in_health_until_it_is_mended() throws IOException {
        // given
        Path file = write(CART);
        try (var context = start(file)) {
            Catalogs catalogs = context.getBean(Catalogs.class);

            // when
            write(CART.replace("listen", "lissen"));

            // then
            promptly("a broken file", () -> assertThat(status(context)).isEqualTo(Status.DOWN));
            assertThat(details(context).get("services file")).asString()
                    .contains("services.yaml:3:5: $.services[0].lissen: is unknown here");

            // when
            Files.delete(file);

            // then
            await().untilAsserted(() -> assertThat(details(context).get("services file")).asString()
                    .contains("there is no such file"));

            // when
            write(CART);

            // then
            await().untilAsserted(() -> assertThat(status(context)).isEqualTo(Status.UP));
            assertThat(catalogs.all()).hasSize(1);
        }
    }

    @Test
    void a_fleet_that_was_never_known_withholds_its_group_and_is_not_healthy() throws IOException {
        // given
        Path file = write(CART + SEARCH);
        try (var context = start(file)) {
            // then
            RoutedServices first = context.getBean(RoutedServices.class);
            assertThat(first.byName()).containsOnlyKeys("cart");
            assertThat(first.suspended()).containsExactly("edge");
            assertThat(status(context)).isEqualTo(Status.DOWN);
            await().untilAsserted(() -> assertThat(details(context).get("search")).asString()
                    .startsWith("no answer from the DNS for search.example.com at 127.0.0.1:1"));

            // when
            write(CART);

            // then
            promptly("a service taken out", () -> {
                assertThat(status(context)).isEqualTo(Status.UP);
                assertThat(context.getBean(Catalogs.class).all()).isNotEmpty().last()
                        .extracting(RoutedServices::suspended).isEqualTo(Set.of());
            });
        }
    }

    @Test
    void an_instance_that_the_dns_adds_is_there_within_a_second_and_none_goes_with_the_dns() throws IOException {
        // given
        try (SmallDnsServer dns = new SmallDnsServer()) {
            dns.answer(SmallDnsServer.record("search.example.com", "10.0.0.8"));
            Path file = write(CART + SEARCH.replace("127.0.0.1:1", "127.0.0.1:" + dns.port()));
            try (var context = start(file)) {
                Catalogs catalogs = context.getBean(Catalogs.class);
                promptly("a first fleet",
                        () -> assertThat(catalogs.addresses("search")).containsExactly("10.0.0.8:80"));
                assertThat(catalogs.all().getLast().suspended()).isEmpty();

                // when
                dns.answer(SmallDnsServer.record("search.example.com", "10.0.0.9"),
                        SmallDnsServer.record("search.example.com", "10.0.0.8"));

                // then
                promptly("an added instance", () -> assertThat(catalogs.addresses("search"))
                        .containsExactly("10.0.0.8:80", "10.0.0.9:80"));
                await().untilAsserted(() -> assertThat(status(context)).isEqualTo(Status.UP));

                // when
                dns.answer();

                // then
                await().untilAsserted(() -> assertThat(details(context).get("search")).asString()
                        .isEqualTo("its source names no instance; its last known 2 instances stay"));
                assertThat(catalogs.addresses("search")).hasSize(2);
            }
        }
    }

    @Test
    void a_file_that_is_broken_at_the_start_ends_it() throws IOException {
        // given
        Path file = write("services:\n  - nam: cart\n");

        // when, then
        assertThatThrownBy(() -> start(file).close()).rootCause()
                .hasMessageContaining(":2:5: $.services[0].nam: is unknown here");
    }
}
