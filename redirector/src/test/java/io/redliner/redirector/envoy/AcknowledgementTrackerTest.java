// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Status;
import io.envoyproxy.controlplane.cache.Resources;
import io.envoyproxy.controlplane.cache.VersionedResource;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.controlplane.server.serializer.DefaultProtoResourcesSerializer;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.stub.StreamObserver;
import io.redliner.redirector.dataplane.EnvoyVersion;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.Kind;
import io.redliner.redirector.envoy.ProxyGroupResources.Replacement;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.WeightCalculator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a proxy has taken. Behind the library's real server; in increments also when answers of the redirector and requests of
 * the proxy pass each other on the way.
 */
class AcknowledgementTrackerTest {

    private static final String GROUP = "edge";

    /** Runs what it is given, but what it holds back. */
    private static final class Sending implements Executor {

        private final List<Runnable> held = new ArrayList<>();

        private boolean holding;

        @Override
        public void execute(Runnable task) {
            if (holding) {
                held.add(task);
            } else {
                task.run();
            }
        }

        void hold() {
            holding = true;
        }

        /** The last one first, as two threads may. */
        void releaseReversed() {
            holding = false;
            held.reversed().forEach(Runnable::run);
            held.clear();
        }
    }

    /** What the redirector knows of the proxy's endpoints. */
    private static final class Known implements ProxyEventHandler {

        private Map<ResourceKey, String> endpoints = Map.of();

        private final List<String> refusals = new ArrayList<>();

        @Override
        public void opened(StreamId stream, String node, String group, EnvoyVersion version) {
            // There is one stream.
        }

        @Override
        public void closed(StreamId stream) {
            // It ends with the test.
        }

        @Override
        public void carries(StreamId stream, Set<String> services) {
            // There are no routes.
        }

        @Override
        public void acknowledged(StreamId stream, Kind kind, Map<ResourceKey, String> versions) {
            endpoints = versions;
        }

        @Override
        public void refused(StreamId stream, Kind kind, Refusal refusal) {
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

    /** A proxy that answers when it is told to. */
    private final class Proxy implements StreamObserver<DeltaDiscoveryResponse> {

        private final List<DeltaDiscoveryResponse> unanswered = new ArrayList<>();

        private final Map<String, String> has = new HashMap<>();

        private final StreamObserver<DeltaDiscoveryRequest> stream = server.getAggregatedDiscoveryServiceImpl()
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
            throw new AssertionError(error);
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

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private final Known known = new Known();

    private final Sending sending = new Sending();

    private final XdsResponder watcher = new XdsResponder(timer, Duration.ofMinutes(1));

    private final V3DiscoveryServer server = new V3DiscoveryServer(
            List.of(new AcknowledgementTracker(known, watcher)), watcher, () -> sending,
            new DefaultProtoResourcesSerializer());

    private final Proxy proxy = new Proxy();

    @AfterEach
    void end() {
        timer.shutdownNow();
    }

    private void publish(String... clusters) {
        Map<ResourceKey, VersionedResource<?>> endpoints = new HashMap<>();
        for (String cluster : clusters) {
            endpoints.put(new ResourceKey(Kind.ENDPOINTS, cluster), VersionedResource.create(Clusters.endpoints(cluster,
                    WeightCalculator.natural(List.of(new Instance(new HostPort("127.0.0.1", 9001), 1)))),
                    "version of " + cluster));
        }
        watcher.publish(GROUP, ProxyGroupResources.NOTHING
                .replacing(List.of(new Replacement(ServiceResources.NONE, new ServiceResources(endpoints)))));
    }

    @Test
    void of_two_answers_on_their_way_none_is_forgotten() {
        publish("old");
        proxy.subscribe("old");
        proxy.acknowledgeAll();
        assertThat(known.names()).containsExactly("old");
        sending.hold();
        publish("new");
        proxy.subscribe("new");
        sending.releaseReversed();
        assertThat(proxy.unanswered).as("answers on their way").hasSize(2);
        proxy.acknowledgeAll();
        assertThat(proxy.has).containsOnlyKeys("new");
        assertThat(known.names()).containsExactly("new");
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
        StreamObserver<DiscoveryRequest> stream = server.getAggregatedDiscoveryServiceImpl()
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
}
