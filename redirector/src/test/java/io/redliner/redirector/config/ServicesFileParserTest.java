// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.discovery.EndpointSource;
import io.redliner.redirector.discovery.ServiceDefinition;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.Errors;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.routing.Upstream.CircuitBreakers;
import io.redliner.redirector.routing.Upstream.Ejection;
import io.redliner.redirector.routing.Upstream.HealthCheck;
import io.redliner.redirector.routing.Upstream.Protocol;
import io.redliner.redirector.routing.Upstream.Tls;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServicesFileParserTest {

    private static final String GOOD = """
            services:
              - name: profile-be
                listen: "0.0.0.0:10000"
                timeout: 1m30s
                instances:
                  - "127.0.0.1:9001"
                  - {address: "[::1]:9002", weight: 2}
              - name: search
                listen: "0.0.0.0:10001"
                instances: ["127.0.0.1:9001", "127.0.0.1:9002"]
              - name: edge-search
                proxies: edge
                listen: "0.0.0.0:10001"
                protocol: grpc
                tls: {sni: search.example.com, trusted: /ca.pem, certificate: /own.pem, key: /own.key}
                ejection: {consecutiveErrors: 5, interval: 1s, baseTime: 2s, maxPercent: 50}
                dns: {name: search.example.com, port: 8080, every: 1s, server: "127.0.0.1:5353"}
              - name: cart
                ejection: {consecutiveErrors: 3}
                errors: {http: [404, 500-599], grpc: [UNAVAILABLE, 8]}
                kubernetes: {namespace: shop, service: cart, port: http}
              - name: legacy
                runtime:
                  keyPrefix: routing.legacy
                  sut: "10.0.0.1:80"
                  sutCluster: legacy-one
                  peersCluster: legacy-others
                  selection: hash
                instances: ["10.0.0.1:80", "10.0.0.2:80"]
                streams: [/shop.Cart/Watch, /feed/]
            """;

    @ParameterizedTest
    @CsvSource({"ISO-8859-1, 2, 13", "UTF-16, 1, 1", "UTF-16LE, 2, 26"})
    void a_file_in_another_encoding_is_refused_at_its_place(String encoding, int line, int position,
            @TempDir Path folder)
            throws IOException {
        Path file = Files.write(folder.resolve("s.yaml"),
                "services:\n  - name: pr\u00fcfung\n".getBytes(Charset.forName(encoding)));

        assertThatThrownBy(() -> ServicesFileParser.read(file))
                .hasMessage(file + ": cannot read the services file: it is not UTF-8 (line %d, byte %d)", line,
                        position)
                .cause().hasMessageNotContaining("Input length");
    }

    private static ServiceDefinition service(String name) {
        return service(GOOD, name);
    }

    private static ServiceDefinition service(String text, String name) {
        return ServicesFileParser.parse("services.yaml", text).services().stream()
                .filter(definition -> definition.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void reads_services_with_their_defaults() {
        // when
        var definitions = ServicesFileParser.parse("services.yaml", GOOD);

        // then
        assertThat(definitions.services()).extracting(ServiceDefinition::name)
                .containsExactly("profile-be", "search", "edge-search", "cart", "legacy");
        assertThat(service("profile-be").integration())
                .isEqualTo(new EnvoyIntegration.Everything(new HostPort("0.0.0.0", 10000)));
        assertThat(service("profile-be").upstream()).isEqualTo(Upstream.plain(Optional.of(Duration.ofSeconds(90))));
        assertThat(service("profile-be").source()).isEqualTo(new EndpointSource.Listed(List.of(
                new Instance(new HostPort("127.0.0.1", 9001), 1), new Instance(new HostPort("::1", 9002), 2))));
        assertThat(service("search").upstream()).isEqualTo(Upstream.plain(Optional.empty()));
        assertThat(service("search").proxies()).isEqualTo("redliner");
    }

    @Test
    void reads_how_instances_are_asked_whether_they_are_healthy() {
        String text = GOOD.replace("protocol: grpc", "protocol: grpc\n    healthCheck: {}")
                .replace("ejection: {consecutiveErrors: 3}",
                        "healthCheck: {path: /health, host: \"shop.test:8080\", interval: 1s, timeout: 200ms, unhealthy: 3, healthy: 1}");
        assertThat(service(text, "edge-search").upstream().healthCheck()).contains(
                new HealthCheck(Optional.empty(), Optional.empty(), Duration.ofSeconds(5), Duration.ofSeconds(1), 2,
                        2));
        assertThat(service(text, "cart").upstream().healthCheck()).contains(
                new HealthCheck(Optional.of("/health"), Optional.of("shop.test:8080"), Duration.ofSeconds(1),
                        Duration.ofMillis(200), 3, 1));
    }

    @Test
    void reads_how_instances_are_talked_to() {
        assertThat(service("edge-search").proxies()).isEqualTo("edge");
        assertThat(service("edge-search").upstream()).isEqualTo(new Upstream(Protocol.HTTP2, Optional.empty(),
                Optional.of(new Tls("search.example.com", "/ca.pem", Optional.of("/own.pem"),
                        Optional.of("/own.key"))),
                Optional.of(new Ejection(5, Duration.ofSeconds(1), Duration.ofSeconds(2), 50)), Optional.empty(),
                CircuitBreakers.DEFAULT,
                Errors.DEFAULT, List.of()));
        assertThat(service("cart").upstream().ejection())
                .contains(new Ejection(3, Duration.ofSeconds(10), Duration.ofSeconds(30), 10));
        assertThat(service("cart").upstream().errors())
                .isEqualTo(new Errors(List.of(new Errors.Range(404, 404), new Errors.Range(500, 599)), List.of(14, 8)));
        assertThat(service("legacy").upstream().streams()).containsExactly("/shop.Cart/Watch", "/feed/");
    }

    @Test
    void reads_the_circuit_breakers_of_which_some_are_given() {
        assertThat(service("cart").upstream().breakers()).isEqualTo(CircuitBreakers.DEFAULT);
        var definitions = ServicesFileParser.parse("services.yaml", GOOD.replace("ejection: {consecutiveErrors: 3}",
                "circuitBreakers: {requests: 50, retries: 0}"));
        assertThat(definitions.services()).extracting(definition -> definition.upstream().breakers())
                .contains(new CircuitBreakers(10_000, 10_000, 50, 0));
        assertRefused("ejection: {consecutiveErrors: 3}", "circuitBreakers: {requests: 0}", "19:22",
                "requests 0 is outside 1 to 1000000");
    }

    @Test
    void reads_where_fleets_are_found() {
        assertThat(service("edge-search").source()).isEqualTo(new EndpointSource.Dns("search.example.com", 8080,
                Duration.ofSeconds(1), Optional.of(new HostPort("127.0.0.1", 5353))));
        assertThat(service("cart").source())
                .isEqualTo(new EndpointSource.Kubernetes("shop", "cart", new EndpointSource.Port.Named("http")));
        var definitions = ServicesFileParser.parse("services.yaml", GOOD.replace("port: http", "port: 8080")
                .replace(", every: 1s, server: \"127.0.0.1:5353\"", ""));
        assertThat(definitions.services()).extracting(ServiceDefinition::source).contains(
                new EndpointSource.Kubernetes("shop", "cart", new EndpointSource.Port.Numbered(8080)),
                new EndpointSource.Dns("search.example.com", 8080, Duration.ofMillis(500), Optional.empty()));
    }

    @Test
    void reads_how_much_of_the_configuration_comes_from_here() {
        assertThat(service("cart").integration()).isEqualTo(new EnvoyIntegration.RoutesAndEndpoints());
        assertThat(service("legacy").integration()).isEqualTo(new EnvoyIntegration.RuntimeOnly("routing.legacy",
                new HostPort("10.0.0.1", 80), "legacy-one", "legacy-others", Map.of(),
                RedirectMode.HASH));
        assertThat(ServicesFileParser.parse("services.yaml", GOOD.replace("      selection: hash\n", "")).services()
                .getLast()
                .integration()).isInstanceOfSatisfying(EnvoyIntegration.RuntimeOnly.class,
                        runtime -> assertThat(runtime.selection()).isEqualTo(RedirectMode.SPLIT));
    }

    @Test
    void reads_the_weights_of_an_owners_route() {
        String good = GOOD.replace("      selection: hash\n",
                "      weights: {legacy-one: 20, legacy-others: 60, legacy-variant: 20}\n");
        assertThat(ServicesFileParser.parse("services.yaml", good).services().getLast().integration())
                .isInstanceOfSatisfying(EnvoyIntegration.RuntimeOnly.class, runtime -> {
                    assertThat(runtime.weights()).containsOnly(Map.entry("legacy-one", 20),
                            Map.entry("legacy-others", 60), Map.entry("legacy-variant", 20));
                    assertThat(runtime.ownersRoute().orElseThrow().sut()).hasValue(0.25);
                    assertThat(runtime.ownersRoute().orElseThrow().elsewhere()).isCloseTo(0.2, within(1e-12));
                });
    }

    @Test
    void reads_the_clusters_whose_endpoints_come_from_here_wherever_the_fleet_is_found() {
        String text = """
                services:
                  - name: cart
                    endpoints:
                      keyPrefix: routing.cart
                      cluster: cart
                      sutCluster: cart-sut
                      peersCluster: cart-peers
                      weights: {cart: 80, variant: 20}
                    kubernetes: {namespace: shop, service: cart, port: http}
                """;
        assertThat(ServicesFileParser.parse("services.yaml", text).services()).singleElement()
                .satisfies(service -> assertThat(service.integration()).isEqualTo(new EnvoyIntegration.EndpointsOnly(
                        "routing.cart", "cart", "cart-sut", "cart-peers", Map.of("cart", 80, "variant", 20),
                        RedirectMode.SPLIT)));
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml",
                text.replace("{cart: 80, ", "{cart: 80, cart-sut: 5, ")))
                .hasMessageContaining("cluster 'cart-sut' is for tests: its weight in the route has to be 0, not 5");
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml", text.replace("cart-sut", "cart")))
                .hasMessageContaining("need clusters of their own");
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml",
                text.replace("    kubernetes", "    listen: \"0.0.0.0:80\"\n    kubernetes")))
                .hasMessageContaining("'listen' has no effect with 'endpoints'");
        String another = text.replace("services:\n", "").replace("name: cart", "name: basket");
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml",
                text + another.replace("keyPrefix: routing.cart", "keyPrefix: routing.basket")))
                .hasMessageContaining("services.yaml:10:").hasMessageContaining("the cluster 'cart-")
                .hasMessageContaining("is another service's of the proxies 'redliner'");
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml",
                text + another.replace("cart-", "basket-")))
                .hasMessageContaining("the runtime key 'routing.cart.cart'");
        assertThat(ServicesFileParser.parse("services.yaml",
                text + another.replace("    kubernetes", "    proxies: edge\n    kubernetes")).services()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "selection: split, weights: {legacy-one: 20}                  | lacks the cluster 'legacy-others'",
        "selection: split, weights: {legacy-one: -1, legacy-others: 1} | weight -1 of cluster 'legacy-one' is outside",
        "selection: split, weights: {legacy-one: 0, legacy-others: 0}  | need more of the route's weight than 0",
        "selection: split, weights: {legacy-one: 1.5, legacy-others: 1} | is not a whole number",
        "selection: split, weights: {}                                 | 'weights' is empty",
        "selection: split, weights: 5                                  | weights: must be an object, not a single value",
        "selection: hash, weights: {legacy-one: 1, legacy-others: 1, x: 1} | chooses by users"})
    void refuses_weights_that_no_route_has(String fields, String problem) {
        String bad = GOOD.replace("      selection: hash\n",
                "      " + fields.replace(", weights", "\n      weights") + "\n");
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml", bad))
                .isInstanceOf(InvalidServicesFileException.class).hasMessageContaining(problem);
    }

    /** Each row breaks one thing of the good file, and says where the complaint must point and what it must say. */
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "timeout: 1m30s          | timeoutt: 1m30s           | 4:5  | $.services[0].timeoutt: is unknown here; known are name, proxies",
        "timeout: 1m30s          | timeout: 90               | 4:14 | is no duration",
        "timeout: 1m30s          | timeout: 90 seconds       | 4:14 | is no duration",
        "timeout: 1m30s          | timeout: -1s              | 4:14 | is no duration",
        "timeout: 1m30s          | timeout: 500ns            | 4:14 | finer than a microsecond",
        "timeout: 1m30s          | name: again               | 4:5  | $.services[0].name: is given twice",
        "timeout: 1m30s          | proxies:                  | 4:5  | $.services[0].proxies: has no value",
        "weight: 2               | weight: 2kg               | 7:41 | is not a whole number without a unit",
        "weight: 2               | weight: 0                 | 7:41 | outside 1 to 1000",
        "[::1]:9002              | localhost:9002            | 7:19 | host names are not resolved",
        "[::1]:9002              | 127.0.0.1                 | 7:19 | is not an address like",
        "[::1]:9002              | 127.0.0.256:1             | 7:19 | is not an IP address",
        "[::1]:9002              | 127.0.0.1:70000           | 7:19 | outside 1 to 65535",
        "[::1]:9002              | 127.0.0.1:9001            | 7:9  | instance 127.0.0.1:9001 is listed twice",
        "127.0.0.1:9001          | [0:0:0:0:0:0:0:1]:9002    | 7:9  | instance [::1]:9002 is listed twice",
        "name: search            | name: profile-be          | 8:11 | profile-be is listed twice",
        "name: search            | name: 'a/b'               | 8:11 | is not a service name",
        "0.0.0.0:10001           | 0.0.0.0:10000             | 9:13 | listen port 10000 is taken",
        "proxies: edge           | proxies: redliner         | 13:13 | listen port 10001 is taken",
        ", \"127.0.0.1:9002\"]   | ]                         | 10:16 | needs at least two instances"})
    void refuses_with_line_and_column(String good, @Nullable String bad, String where, String problem) {
        assertRefused(good, bad, where, problem);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "protocol: grpc          | protocol: HTTP/2          | 14:15 | http1, http2 or grpc",
        "sni: search.example.com, |                          | 15:10 | $.services[2].tls.sni: is required and missing",
        "trusted: /ca.pem        | ca: /ca.pem               | 15:36 | $.services[2].tls.ca: is unknown here; known are sni, trusted, certificate, key",
        ", key: /own.key}        | }                         | 15:10 | a certificate and its key go together",
        "consecutiveErrors: 5    | consecutiveErrors: 0      | 16:35 | outside 1 to 1000",
        "maxPercent: 50          | maxPercent: 101           | 16:78 | outside 1 to 100",
        "interval: 1s            | interval: 1               | 16:48 | is no duration",
        "http: [404             | http: [99                 | 20:21 | is not an HTTP status such as 429",
        "500-599                | 599-500                   | 20:26 | the lower one first; not 599-500",
        "500-599                | 500-600                   | 20:26 | not 500-600",
        "UNAVAILABLE            | OK                        | 20:43 | is not a gRPC status of an error",
        "/feed/]                | feed]                     | 30:33 | a path begins with a slash; not 'feed'",
        "grpc:                  | gRPC:                     | 20:36 | $.services[3].errors.gRPC: is unknown here; known are http, grpc; did you mean grpc?",
        "ejection: {consecutiveErrors: 3} | healthCheck: {}  | 19:18 | give it a path, or say protocol: grpc",
        "ejection: {consecutiveErrors: 3} | healthCheck: {path: health}  | 19:18 | a path begins with a slash",
        "ejection: {consecutiveErrors: 3} | healthCheck: {path: /, host: cart/sut}  | 19:18 | 'cart/sut' is not a host",
        "ejection: {consecutiveErrors: 3} | healthCheck: {path: /, host: 'a b'}     | 19:18 | 'a b' is not a host",
        "ejection: {consecutiveErrors: 3} | healthCheck: {path: /, healthy: 0} | 19:18 | outside 1 to 100",
        "ejection: {consecutiveErrors: 3} | healthCheck: {path: /, every: 1s} | 19:28 | $.services[3].healthCheck.every: is unknown here",
        "consecutiveErrors: 5, interval: 1s | interval: 1s   | 16:15 | $.services[2].ejection.consecutiveErrors: is required and missing"})
    void refuses_a_wrong_upstream(String good, @Nullable String bad, String where, String problem) {
        assertRefused(good, bad, where, problem);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "name: search.example.com | name: 'a b'              | 17:17 | is not a DNS name",
        "port: 8080              | port: 80800               | 17:43 | outside 1 to 65535",
        "port: 8080              | port: http                | 17:43 | is not a whole number",
        "every: 1s               | every: 1                  | 17:56 | is no duration",
        "server: \"127.0.0.1:5353\" | server: ns1             | 17:68 | is not an address like",
        "dns: {                  | dns: {ttl: 1s,            | 17:11 | $.services[2].dns.ttl: is unknown here",
        "namespace: shop         | namespace: Shop           | 21:29 | is not a Kubernetes name",
        "port: http              | port: 0                   | 21:56 | outside 1 to 65535",
        "port: http              | port: a_b                 | 21:56 | is not a Kubernetes name",
        ", port: http            |                           | 21:17 | $.services[3].kubernetes.port: is required and missing"})
    void refuses_a_wrong_source(String good, @Nullable String bad, String where, String problem) {
        assertRefused(good, bad, where, problem);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "sut: \"10.0.0.1:80\"    | sut: \"10.0.0.3:80\"      | 25:12 | the SUT 10.0.0.3:80 is none of its instances",
        "selection: hash         | selection: random         | 28:18 | is not a selection: split, modulo or hash",
        "sutCluster: legacy-one  | sutCluster: legacy-others | 24:7 | need clusters of their own",
        "keyPrefix: routing.legacy | keyPrefix: 'a b'        | 24:7 | cannot be part of a runtime key",
        "keyPrefix: routing.legacy | prefix: a               | 24:7 | $.services[4].runtime.prefix: is unknown here"})
    void refuses_a_wrong_runtime(String good, @Nullable String bad, String where, String problem) {
        assertRefused(good, bad, where, problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"listen | \"0.0.0.0:1\"", "timeout | 1s",
        "protocol | http1", "tls | {sni: a, trusted: b}", "ejection | {consecutiveErrors: 1}",
        "circuitBreakers | {requests: 1}"})
    void refuses_beside_runtime_what_has_no_effect_there(String field, String value) {
        assertRefused("runtime:\n", field + ": " + value + "\n    runtime:\n", "23:5",
                "service legacy: '" + field + "' has no effect with 'runtime'");
    }

    @Test
    void refuses_a_runtime_whose_fleet_is_found_elsewhere_and_a_service_without_a_fleet() {
        assertRefused("instances: [\"10.0.0.1:80\", \"10.0.0.2:80\"]", "dns: {name: a, port: 1}", "25:12",
                "list the 'instances' that it is one of");
        assertRefused("    kubernetes: {namespace: shop, service: cart, port: http}\n", "", "18:5",
                "service cart needs one of the fields [instances, dns, kubernetes]");
        assertRefused("port: http}", "port: http}\n    instances: []", "21:5", "given by 'instances' already");
    }

    private static void assertRefused(String good, @Nullable String bad, String where, String problem) {
        // given
        assertThat(GOOD).contains(good);
        String text = GOOD.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad == null ? "" : bad));

        // when, then
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml", text))
                .isInstanceOf(InvalidServicesFileException.class)
                .satisfies(refused -> assertThat(String.valueOf(refused.getMessage()).split("; (?=services.yaml:)", -1))
                        .anySatisfy(mistake -> assertThat(mistake).startsWith("services.yaml:" + where + ": ")
                                .contains(problem)));
    }

    @Test
    void refuses_what_is_not_yaml_with_its_line() {
        // when
        var refusal = catchThrowableOfType(InvalidServicesFileException.class,
                () -> ServicesFileParser.parse("services.yaml", "services:\n  - name: [\n"));

        // then
        assertThat(refusal).hasMessageContaining("cannot be read: ");
        assertThat(refusal.line()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"services:\n  - name: shop\n\tlisten: x\n", "services:\n  - name: shop\n    \tlisten: x\n",
        "services:\n  - name: shop\n    listen:\tx\n"})
    void names_a_tab_with_its_line_and_what_to_write_instead(String text) {
        // when
        var refusal = catchThrowableOfType(InvalidServicesFileException.class,
                () -> ServicesFileParser.parse("services.yaml", text));

        // then
        assertThat(refusal).hasMessageStartingWith("services.yaml:3:").hasMessageContainingAll("a tab", "spaces");
        assertThat(refusal).hasNoCause().message().doesNotContain("\n");
        assertThat(refusal.line()).isEqualTo(3);
    }

    @Test
    void refuses_an_empty_file_and_an_empty_list() {
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml", "# nothing\n"))
                .hasMessage("services.yaml:1:1: the document is empty");
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml", "services: []\n"))
                .hasMessage("services.yaml:1:11: $.services: the list of services is empty");
        assertThatThrownBy(() -> ServicesFileParser.parse("services.yaml", "services: none\n"))
                .hasMessage("services.yaml:1:11: $.services: must be a list, not a single value");
    }

    @Test
    void says_which_file_is_missing() {
        assertThatThrownBy(() -> ServicesFileParser.read(Path.of("/nowhere/services.yaml")))
                .isInstanceOf(InvalidServicesFileException.class)
                .hasMessageContaining("/nowhere/services.yaml")
                .hasMessageContaining("cannot read the services file");
    }
}
