// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.stub.StreamObserver;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What one proxy is sent of the shares of its group. */
class RuntimeLayerTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration TTL = Duration.ofSeconds(5);

    private static final String GROUP = "edge";

    /** Keeps what the proxy took last. */
    private final class LastAcknowledged implements ProxyEventHandler {

        @Override
        public void opened(StreamId stream, String node, String group, ProxySoftware software) {
            // There is one.
        }

        @Override
        public void closed(StreamId stream) {
            // It ends with the test.
        }

        @Override
        public void carries(StreamId stream, Set<String> services) {
            // It is no stream of routes.
        }

        @Override
        public void acknowledged(StreamId stream, String type, Map<ResourceKey, String> versions) {
            taken = versions;
        }

        @Override
        public void refused(StreamId stream, String type, Refusal refusal) {
            throw new AssertionError("nobody refuses");
        }

        @Override
        public void ejected(String node, String service, String address, boolean out) {
            throw new AssertionError("no request is sent");
        }
    }

    /** Takes whatever it gets. */
    private final class Proxy implements StreamObserver<DiscoveryResponse> {

        private final StreamObserver<DiscoveryRequest> stream = new DiscoveryServices(streams, new LastAcknowledged())
                .runtime()
                .streamRuntime(this);

        private void request(String version, String nonce) {
            stream.onNext(DiscoveryRequest.newBuilder().setNode(Node.newBuilder().setId("envoy-1").setCluster(GROUP))
                    .addResourceNames(ResourceNames.LAYER).setVersionInfo(version).setResponseNonce(nonce).build());
        }

        @Override
        public void onNext(DiscoveryResponse response) {
            sent++;
            Resource layer = layer(response);
            dropped = now.plus(Duration.ofSeconds(layer.getTtl().getSeconds(), layer.getTtl().getNanos()));
            if (answering) {
                request(response.getVersionInfo(), response.getNonce());
            } else {
                unanswered = response;
            }
        }

        private static Resource layer(DiscoveryResponse response) {
            try {
                return response.getResources(0).unpack(Resource.class);
            } catch (InvalidProtocolBufferException broken) {
                throw new AssertionError(broken);
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
    }

    private Instant now = START;

    private final XdsStreams streams = new XdsStreams(() -> now, Duration.ofSeconds(5));

    private int sent;

    private Map<ResourceKey, String> taken = Map.of();

    private Instant dropped = Instant.MIN;

    private boolean answering = true;

    private DiscoveryResponse unanswered = DiscoveryResponse.getDefaultInstance();

    private final Proxy proxy = new Proxy();

    private void subscribe() {
        proxy.request("", "");
        streams.sendShares();
        sent = 0;
    }

    private void lease(String service, int weight, Duration ttl) {
        streams.put(GROUP, service, Optional.of(new RuntimeOverride(new TreeMap<>(Map.of(service + ".sut", weight)),
                new TreeMap<>(), "", true, now.plus(ttl))));
        streams.admit(1, service);
        streams.sendShares();
    }

    @Test
    void renewals_of_many_leases_go_out_about_once_a_second_and_what_is_in_force_never_runs_out() {
        subscribe();
        for (int run = 0; run < 50; run++) {
            lease("service-" + run, 100, TTL);
        }
        int before = sent;

        // Each is renewed every second, one after the other.
        for (int step = 0; step < 10 * 50; step++) {
            now = now.plusMillis(20);
            lease("service-" + step % 50, 100, TTL);
            assertThat(dropped).as("%s s", step * 0.02).isAfter(now.plusSeconds(2));
        }

        assertThat(sent - before).isBetween(9, 12);
    }

    @Test
    void each_renewal_of_a_single_lease_goes_out_at_once() {
        subscribe();
        lease("one", 100, TTL);
        for (int second = 1; second <= 10; second++) {
            int before = sent;
            now = now.plusMillis(second % 2 == 0 ? 950 : 1_050);
            lease("one", 100, TTL);
            assertThat(sent).isEqualTo(before + 1);
        }
    }

    @Test
    void another_share_and_one_that_ends_sooner_go_out_at_once() {
        subscribe();
        lease("one", 100, TTL);
        now = now.plusMillis(10);
        lease("one", 200, TTL);
        assertThat(sent).isEqualTo(2);
        now = now.plusMillis(10);
        lease("one", 200, Duration.ofSeconds(2));
        assertThat(sent).isEqualTo(3);
        assertThat(dropped).isEqualTo(now.plusSeconds(2));
    }

    @Test
    void a_lease_that_would_run_out_while_its_renewal_waits_is_renewed_at_once() {
        subscribe();
        lease("one", 100, Duration.ofMillis(1_200));
        int before = sent;
        now = now.plusMillis(800);
        lease("one", 100, TTL);
        assertThat(sent).isEqualTo(before + 1);
        assertThat(dropped).isEqualTo(now.plus(TTL));
    }

    @Test
    void a_service_that_is_logged_a_while_longer_does_not_end_the_logs_of_one_with_a_lease() {
        subscribe();
        streams.put(GROUP, "over", Optional.of(logged("over", false, Duration.ofSeconds(1))));
        streams.put(GROUP, "begun", Optional.of(logged("begun", true, TTL)));
        streams.sendShares();
        assertThat(dropped).isEqualTo(now.plus(TTL));
    }

    private RuntimeOverride logged(String service, boolean leased, Duration ttl) {
        return new RuntimeOverride(new TreeMap<>(), new TreeMap<>(Map.of("log." + service, 100)), "", leased,
                now.plus(ttl));
    }

    @Test
    void a_renewal_that_waits_goes_out_without_another_one() {
        subscribe();
        lease("one", 100, TTL);
        now = now.plusMillis(100);
        lease("one", 100, TTL);
        int before = sent;
        Instant ends = dropped;

        now = now.plusMillis(800);
        streams.sendShares();

        assertThat(sent).isEqualTo(before + 1);
        assertThat(dropped).isAfter(ends);
    }

    @Test
    void what_changes_goes_out_at_once_to_a_proxy_that_has_not_answered_yet_and_its_last_answer_counts() {
        subscribe();
        answering = false;
        lease("one", 100, TTL);
        now = now.plusMillis(10);
        lease("one", 200, TTL);
        streams.put(GROUP, "one", Optional.empty());
        streams.sendShares();
        assertThat(sent).isEqualTo(3);
        answering = true;
        proxy.request(unanswered.getVersionInfo(), unanswered.getNonce());
        assertThat(sent).isEqualTo(3);
        assertThat(taken).isEmpty();
    }

    @Test
    void a_proxy_that_comes_with_a_share_that_has_ended_is_natural_at_once() {
        streams.put(GROUP, "one", Optional.of(logged("one", false, TTL)));
        streams.sendShares();
        answering = false;
        proxy.request("one=0123456789abcdef", "");
        assertThat(sent).isEqualTo(1);
        proxy.request(unanswered.getVersionInfo(), unanswered.getNonce());
        assertThat(taken).containsOnly(Map.entry(ResourceKey.share("one"), ResourceKey.NATURAL_SHARE));
    }

    @Test
    void where_tests_share_their_clusters_a_proxy_that_comes_with_another_ones_share_is_natural_first() {
        RuntimeOverride first = shared("10.0.0.1:80");
        RuntimeOverride next = shared("10.0.0.2:80");
        assertThat(next.version()).isNotEqualTo(first.version());
        streams.put(GROUP, "one", Optional.of(next));
        streams.sendShares();
        answering = false;
        proxy.request("one=" + first.version(), "");
        assertThat(sent).isEqualTo(1);
        proxy.request(unanswered.getVersionInfo(), unanswered.getNonce());
        assertThat(taken).isEmpty();
    }

    private RuntimeOverride shared(String sut) {
        return new RuntimeOverride(new TreeMap<>(Map.of("one.sut", 250_000)), new TreeMap<>(), sut, true,
                now.plus(TTL));
    }
}
