// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Status;
import io.envoyproxy.controlplane.cache.Resources;
import io.envoyproxy.controlplane.cache.VersionedResource;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.stub.StreamObserver;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.envoy.ProxyGroupResources.Replacement;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.WeightCalculator;
import io.redliner.redirector.testing.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What a proxy has taken. Behind the library's real server; in increments also when answers of the redirector and requests of
 * the proxy pass each other on the way.
 */
class XdsStreamTest {

    private static final String GROUP = "edge";

    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** What the redirector knows of the proxy's endpoints. */
    private static final class Known implements ProxyEventHandler {

        private Map<ResourceKey, String> endpoints = Map.of();

        private final List<String> refusals = new ArrayList<>();

        private int opened;

        private int closed;

        @Override
        public void opened(StreamId stream, String node, String group, ProxySoftware software) {
            opened++;
        }

        @Override
        public void closed(StreamId stream) {
            closed++;
        }

        @Override
        public void carries(StreamId stream, Set<String> services) {
            // There are no routes.
        }

        @Override
        public void acknowledged(StreamId stream, String type, Map<ResourceKey, String> versions) {
            endpoints = versions;
        }

        @Override
        public void refused(StreamId stream, String type, Refusal refusal) {
            refusals.add(refusal.error());
        }

        @Override
        public void ejected(String node, String service, String address, boolean out) {
            throw new AssertionError("no request is sent");
        }

        Set<String> names() {
            Set<String> names = new HashSet<>();
            endpoints.keySet().forEach(key -> names.add(key.name()));
            return names;
        }
    }

    /** A proxy that answers when the test asks for it. */
    private final class Proxy implements StreamObserver<DeltaDiscoveryResponse> {

        private final List<DeltaDiscoveryResponse> unanswered = new ArrayList<>();

        private final Map<String, String> has = new HashMap<>();

        private boolean ending;

        private final StreamObserver<DeltaDiscoveryRequest> stream = discovery.aggregated()
                .deltaAggregatedResources(this);

        @Override
        public void onNext(DeltaDiscoveryResponse response) {
            unanswered.add(response);
            response.getRemovedResourcesList().forEach(has::remove);
            for (Resource resource : response.getResourcesList()) {
                has.put(resource.getName(), resource.getVersion());
            }
        }

        @Override
        public void onError(Throwable error) {
            if (!ending) {
                throw new AssertionError(error);
            }
        }

        @Override
        public void onCompleted() {
            throw new AssertionError("the stream ended");
        }

        private DeltaDiscoveryRequest.Builder request() {
            return DeltaDiscoveryRequest.newBuilder().setTypeUrl(Resources.V3.ENDPOINT_TYPE_URL)
                    .setNode(Node.newBuilder().setId("envoy-1").setCluster(GROUP));
        }

        void subscribe(String name) {
            stream.onNext(request().addResourceNamesSubscribe(name).build());
        }

        void refuse(String error) {
            stream.onNext(request().setResponseNonce(unanswered.removeFirst().getNonce())
                    .setErrorDetail(Status.newBuilder().setMessage(error)).build());
        }

        void unsubscribe(String name) {
            has.remove(name);
            stream.onNext(request().addResourceNamesUnsubscribe(name).build());
        }

        /** In the order in which they came, until there is no further one. */
        void acknowledgeAll() {
            for (int most = 10; !unanswered.isEmpty(); most--) {
                assertThat(most).as("answers to answers: %s", unanswered).isPositive();
                stream.onNext(request().setResponseNonce(unanswered.removeFirst().getNonce()).build());
            }
        }
    }

    private final Known known = new Known();

    private final MovableClock clock = new MovableClock();

    private final XdsStreams streams = new XdsStreams(clock, PAUSE);

    private final DiscoveryServices discovery = new DiscoveryServices(streams, known);

    private final Proxy proxy = new Proxy();

    private void publish(String... clusters) {
        Map<ResourceKey, VersionedResource<?>> endpoints = new HashMap<>();
        for (String cluster : clusters) {
            endpoints.put(ResourceType.ENDPOINTS.key(cluster), VersionedResource.create(Clusters.endpoints(cluster,
                    WeightCalculator.natural(List.of(new Instance(new HostPort("127.0.0.1", 9001), 1)))),
                    "version of " + cluster));
        }
        streams.publish(GROUP, ProxyGroupResources.NOTHING
                .replacing(List.of(new Replacement(ServiceResources.NONE, new ServiceResources(endpoints)))));
    }

    @Test
    void a_request_that_crosses_an_answer_is_answered_once_that_is_taken() {
        publish("old");
        proxy.subscribe("old");
        proxy.acknowledgeAll();
        assertThat(known.names()).containsExactly("old");
        publish("new");
        proxy.subscribe("new");
        assertThat(proxy.unanswered).as("on its way").hasSize(1);
        proxy.acknowledgeAll();
        assertThat(proxy.has).containsOnlyKeys("new");
        assertThat(known.names()).containsExactly("new");
    }

    @Test
    void what_a_proxy_refused_is_offered_again_after_the_pause_and_what_is_new_at_once() {
        publish("one");
        proxy.subscribe("one");
        proxy.refuse("no");
        assertThat(known.refusals).containsExactly("no");
        streams.sendShares();
        assertThat(proxy.unanswered).as("at once").isEmpty();
        clock.pass(PAUSE);
        streams.sendShares();
        assertThat(proxy.unanswered).as("after the pause").hasSize(1);
        proxy.refuse("no");
        publish("one", "other");
        proxy.subscribe("other");
        assertThat(proxy.unanswered).as("another version").hasSize(1);
    }

    @Test
    void what_the_proxy_does_not_want_any_more_is_not_what_it_has_and_comes_again_when_it_asks() {
        publish("one", "other");
        proxy.subscribe("one");
        proxy.subscribe("other");
        proxy.unsubscribe("one");
        proxy.acknowledgeAll();
        proxy.subscribe("one");
        proxy.acknowledgeAll();
        assertThat(proxy.has).containsOnlyKeys("one", "other");
        assertThat(known.names()).containsExactlyInAnyOrder("one", "other");
    }

    @Test
    void what_the_proxy_asks_for_once_more_comes_once_more() {
        publish("one");
        proxy.subscribe("one");
        proxy.acknowledgeAll();
        proxy.has.clear();
        proxy.subscribe("one");
        proxy.acknowledgeAll();
        assertThat(proxy.has).containsOnlyKeys("one");
    }

    @Test
    void a_request_for_more_after_a_refusal_is_no_acknowledgement() {
        publish("one");
        List<DiscoveryResponse> responses = new ArrayList<>();
        StreamObserver<DiscoveryRequest> stream = discovery.aggregated()
                .streamAggregatedResources(new StreamObserver<>() {

                    @Override
                    public void onNext(DiscoveryResponse response) {
                        responses.add(response);
                    }

                    @Override
                    public void onError(Throwable error) {
                        throw new AssertionError(error);
                    }

                    @Override
                    public void onCompleted() {
                        throw new AssertionError("the stream ended");
                    }
                });
        DiscoveryRequest request = DiscoveryRequest.newBuilder().setTypeUrl(Resources.V3.ENDPOINT_TYPE_URL)
                .setNode(Node.newBuilder().setId("envoy-1").setCluster(GROUP)).addResourceNames("one").build();
        stream.onNext(request);
        DiscoveryRequest answer = request.toBuilder().setResponseNonce(responses.getFirst().getNonce()).build();
        stream.onNext(answer.toBuilder().setErrorDetail(Status.newBuilder().setMessage("no")).build());
        assertThat(known.refusals).containsExactly("no");
        stream.onNext(answer.toBuilder().addResourceNames("other").build());
        assertThat(known.names()).isEmpty();
    }

    /** Keeps what it gets until the test asks for the answer. */
    private static final class WholeState implements StreamObserver<DiscoveryResponse> {

        private final List<DiscoveryResponse> got = new ArrayList<>();

        private final StreamObserver<DiscoveryRequest> stream;

        WholeState(DiscoveryServices discovery) {
            this.stream = discovery.aggregated().streamAggregatedResources(this);
        }

        private static DiscoveryRequest.Builder request(String type, String name) {
            return DiscoveryRequest.newBuilder().setTypeUrl(type).addResourceNames(name)
                    .setNode(Node.newBuilder().setId("envoy-1").setCluster(GROUP));
        }

        void subscribe(ResourceType type, String name) {
            stream.onNext(request(type.url(), name).build());
        }

        List<String> types() {
            return got.stream().map(DiscoveryResponse::getTypeUrl).toList();
        }

        @Override
        public void onNext(DiscoveryResponse response) {
            got.add(response);
        }

        @Override
        public void onError(Throwable error) {
            throw new AssertionError(error);
        }

        @Override
        public void onCompleted() {
            throw new AssertionError("the stream ended");
        }
    }

    @Test
    void a_share_is_taken_away_before_what_it_points_at_even_from_a_proxy_that_has_not_answered_yet() {
        publish("one");
        WholeState edge = new WholeState(discovery);
        edge.subscribe(ResourceType.ENDPOINTS, "other");
        edge.subscribe(ResourceType.SHARE, ResourceNames.LAYER);
        streams.put(GROUP, "shop", Optional.of(new RuntimeOverride(new TreeMap<>(Map.of("shop.sut", 500_000)),
                new TreeMap<>(), "", true, clock.instant().plusSeconds(5))));
        streams.admit(2, "shop");
        streams.sendShares();
        assertThat(edge.types()).containsExactly(ResourceType.SHARE.url());

        // when the proxy has not answered, and the share ends with what it points at
        streams.put(GROUP, "shop", Optional.empty());
        streams.sendShares();
        publish("one", "other");

        // then
        assertThat(edge.types()).containsExactly(ResourceType.SHARE.url(), ResourceType.SHARE.url(),
                ResourceType.ENDPOINTS.url());
        assertThat(edge.got.get(1).getVersionInfo()).isEqualTo(ResourceKey.NATURAL_SHARE);
    }

    @Test
    void a_stream_that_does_not_say_what_it_asks_for_ends_and_its_proxy_is_gone() {
        publish("one");
        proxy.subscribe("one");
        proxy.ending = true;
        proxy.stream.onNext(proxy.request().setTypeUrl("").build());
        assertThat(known.closed).isEqualTo(1);
        proxy.subscribe("one");
        assertThat(known.opened).isEqualTo(1);
    }
}
