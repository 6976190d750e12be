// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import static io.redliner.redirector.discovery.EndpointSliceExamples.endpoint;
import static io.redliner.redirector.discovery.EndpointSliceExamples.ready;
import static io.redliner.redirector.discovery.EndpointSliceExamples.slice;
import static io.redliner.redirector.testing.Promptly.promptly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.redliner.redirector.discovery.EndpointSource.Kubernetes;
import io.redliner.redirector.discovery.EndpointSource.Port;
import io.redliner.redirector.testing.RecordedEndpoints;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true, https = false)
class KubernetesDiscoveryTest {

    private static final Duration PROBE_EVERY = Duration.ofMillis(300);

    private static final Kubernetes CART = new Kubernetes("shop", "cart", new Port.Named("http"));

    @SuppressWarnings("NullAway.Init")
    KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    KubernetesClient client;

    private final RecordedEndpoints endpoints = new RecordedEndpoints();

    private final AtomicInteger clients = new AtomicInteger();

    private final KubernetesDiscovery fleets = new KubernetesDiscovery(() -> {
        clients.incrementAndGet();
        return client(server.url("/"));
    }, PROBE_EVERY, InstantSource.system());

    private static KubernetesDiscovery fleets(String url) {
        return new KubernetesDiscovery(() -> client(url), PROBE_EVERY, InstantSource.system());
    }

    private static KubernetesClient client(String url) {
        return new KubernetesClientBuilder().withConfig(new ConfigBuilder(
                Config.empty()).withMasterUrl(url)
                .withTrustCerts(true).withRequestRetryBackoffLimit(0).withHttp2Disable(true).build()).build();
    }

    @BeforeEach
    void three_instances_in_one_slice() {
        put(slice("cart-a", ready("10.0.0.1"), ready("10.0.0.2"), ready("10.0.0.3")));
    }

    @AfterEach
    void end() {
        fleets.close();
    }

    private void put(EndpointSlice slice) {
        client.resource(slice).createOr(existing -> existing.update());
    }

    private void watchThree() {
        fleets.watch(CART, endpoints);
        await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080", "10.0.0.2:8080",
                "10.0.0.3:8080"));
    }

    @Test
    void begins_with_the_whole_fleet_and_never_with_a_part() {
        // given
        put(slice("cart-b", ready("10.0.0.4")));

        // when
        fleets.watch(CART, endpoints);

        // then
        await().until(() -> !endpoints.all().isEmpty());
        assertThat(endpoints.all().getFirst()).hasSize(4);
    }

    @Test
    void notices_an_instance_that_disappears() {
        // given
        watchThree();

        // when
        put(slice("cart-a", ready("10.0.0.1"), ready("10.0.0.3")));

        // then
        promptly("an instance that disappears",
                () -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080", "10.0.0.3:8080"));
    }

    @Test
    void notices_what_an_autoscaler_adds() {
        // given
        watchThree();

        // when
        put(slice("cart-a", ready("10.0.0.1"), ready("10.0.0.2"), ready("10.0.0.3"), ready("10.0.0.4")));

        // then
        promptly("a new instance", () -> assertThat(endpoints.last()).hasSize(4).contains("10.0.0.4:8080"));
    }

    @Test
    void notices_an_instance_that_is_not_ready_or_terminates() {
        // given
        watchThree();

        // when
        put(slice("cart-a", ready("10.0.0.1"), endpoint("10.0.0.2", false, false), endpoint("10.0.0.3", true, true)));

        // then
        promptly("instances without traffic", () -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080"));
    }

    @Test
    void does_not_lose_anybody_when_a_slice_is_split_in_two() {
        // given
        watchThree();

        // when
        put(slice("cart-b", ready("10.0.0.3"), ready("10.0.0.4")));
        put(slice("cart-a", ready("10.0.0.1"), ready("10.0.0.2")));

        // then
        promptly("a split", () -> {
            assertThat(endpoints.last()).hasSize(4);
            assertThat(client.discovery().v1().endpointSlices().inNamespace("shop").list().getItems()).hasSize(2);
        });
        assertThat(endpoints.all()).allSatisfy(said -> assertThat(said.size()).isGreaterThanOrEqualTo(3));

        // when
        client.discovery().v1().endpointSlices().inNamespace("shop").withName("cart-b").delete();

        // then
        promptly("a slice that goes",
                () -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080", "10.0.0.2:8080"));
    }

    @Test
    void does_not_mind_other_services() {
        // given
        watchThree();
        EndpointSlice other = slice("search-a", ready("10.0.0.9"));
        other.getMetadata().getLabels().put("kubernetes.io/service-name", "search");

        // when
        put(other);
        put(slice("cart-b", ready("10.0.0.4")));

        // then
        await().untilAsserted(() -> assertThat(endpoints.last()).hasSize(4));
        assertThat(endpoints.all()).noneMatch(said -> said.contains("10.0.0.9:8080"));
    }

    @Test
    void has_one_client_for_all_watches_and_none_before_the_first() {
        // given
        assertThat(clients).hasValue(0);

        // when
        fleets.watch(new Kubernetes("shop", "search", new Port.Numbered(80)), new RecordedEndpoints());
        watchThree();

        // then
        assertThat(clients).hasValue(1);
    }

    @Test
    void has_one_informer_and_one_question_for_all_services_of_a_namespace() throws IOException {
        try (SilentWatchKubernetesApi api = new SilentWatchKubernetesApi();
                KubernetesDiscovery many = fleets(api.url())) {
            EndpointSlice other = slice("search-a", ready("10.0.0.9"));
            other.getMetadata().getLabels().put("kubernetes.io/service-name", "search");
            api.list(slice("cart-a", ready("10.0.0.1")), other);
            RecordedEndpoints search = new RecordedEndpoints();

            // when
            EndpointDiscovery.Watch cart = many.watch(CART, endpoints);
            many.watch(new Kubernetes("shop", "search", new Port.Named("http")), search);
            for (int more = 0; more < 50; more++) {
                many.watch(new Kubernetes("shop", "service-" + more, new Port.Numbered(80)), new RecordedEndpoints());
            }

            // then
            await().untilAsserted(() -> {
                assertThat(endpoints.last()).containsExactly("10.0.0.1:8080");
                assertThat(search.last()).containsExactly("10.0.0.9:8080");
            });
            // The watch follows the list.
            await().until(() -> api.watches() > 0);
            int before = api.lists();
            await().until(() -> api.lists() >= before + 3);

            // when
            cart.close();
            int said = endpoints.all().size();
            int later = api.lists();
            await().until(() -> api.lists() >= later + 2);

            // then
            assertThat(endpoints.all()).hasSize(said);
            assertThat(api.watches()).isEqualTo(1);
        }
    }

    @Test
    void slices_that_cannot_be_read_are_the_trouble_of_their_own_service() {
        // given
        RecordedEndpoints search = new RecordedEndpoints();
        EndpointSlice unreadable = slice("search-a", ready("010.0.0.9"));
        unreadable.getMetadata().getLabels().put("kubernetes.io/service-name", "search");
        put(unreadable);
        fleets.watch(new Kubernetes("shop", "search", new Port.Named("http")), search);
        watchThree();
        await().untilAsserted(
                () -> assertThat(search.last().getFirst()).startsWith("!its endpoint slices cannot be read"));
        int probes = search.all().size();
        await().until(() -> search.all().size() > probes + 3);

        // when
        put(slice("cart-a", ready("10.0.0.1")));

        // then
        promptly("a change", () -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080"));
        assertThat(endpoints.all()).noneMatch(said -> said.getFirst().startsWith("!"));
    }

    @Test
    void a_service_without_slices_is_said_to_be_empty() {
        // when
        fleets.watch(new Kubernetes("shop", "search", new Port.Numbered(80)), endpoints);

        // then
        await().untilAsserted(() -> assertThat(endpoints.last()).isEmpty());
    }

    @Test
    void a_cluster_that_cannot_be_reached_is_said_and_is_no_empty_fleet() {
        try (KubernetesDiscovery unreachable = fleets("http://127.0.0.1:1/")) {
            // when
            unreachable.watch(CART, endpoints);

            // then
            await().untilAsserted(() -> assertThat(endpoints.last().getFirst())
                    .startsWith("!Kubernetes cannot be asked for the endpoint slices of namespace shop"));
        }
    }

    @Test
    void a_cluster_that_forbids_it_is_said() throws IOException {
        // given
        try (SilentWatchKubernetesApi api = new SilentWatchKubernetesApi();
                KubernetesDiscovery forbidden = fleets(api.url())) {
            api.forbid();

            // when
            forbidden.watch(CART, endpoints);

            // then
            await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly(
                    "!Kubernetes refuses the endpoint slices of namespace shop (403): endpointslices is forbidden"));

            // when
            api.list(slice("cart-a", ready("10.0.0.1")));

            // then
            await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080"));
        }
    }

    @Test
    void a_connection_that_is_dead_without_a_word_is_given_up() throws IOException {
        // given
        try (SilentWatchKubernetesApi api = new SilentWatchKubernetesApi();
                KubernetesDiscovery followed = fleets(api.url())) {
            api.list(slice("cart-a", ready("10.0.0.1")));
            followed.watch(CART, endpoints);
            await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly("10.0.0.1:8080"));

            // when
            api.list(slice("cart-a", ready("10.0.0.2")));

            // then
            await().untilAsserted(() -> assertThat(endpoints.last()).containsExactly("10.0.0.2:8080"));
            assertThat(endpoints.all()).noneMatch(List::isEmpty);
        }
    }

    @Test
    void a_cluster_that_goes_away_later_is_said() {
        // given
        watchThree();

        // when
        server.destroy();

        // then
        await().untilAsserted(() -> assertThat(endpoints.last().getFirst()).startsWith("!Kubernetes cannot be asked"));
        assertThat(endpoints.all()).noneMatch(List::isEmpty);
    }
}
