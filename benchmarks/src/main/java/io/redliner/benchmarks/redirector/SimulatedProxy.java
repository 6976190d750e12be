// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Extension;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.grpc.Channel;
import io.redliner.benchmarks.redirector.AdsStream.Xds;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A proxy as far as a redirector sees it. Over one aggregated stream it asks for the runtime layer, all clusters and their
 * endpoints, all listeners and their routes, and acknowledges all it gets. Safe for use by several threads; its monitor
 * guards its stream.
 */
final class SimulatedProxy {

    /** What a proxy says of itself besides its name: some 20 KiB, as Envoy's does. */
    private static final List<Extension> EXTENSIONS = IntStream.range(0, 320)
            .mapToObj(number -> Extension.newBuilder().setName("envoy.filters.http.extension_" + number)
                    .setCategory("envoy.filters.http").build())
            .toList();

    /** So much came. */
    record Received(long messages, long resources, long bytes) {

        static final Received NOTHING = new Received(0, 0, 0);

        Received plus(Received other) {
            return new Received(messages + other.messages, resources + other.resources, bytes + other.bytes);
        }
    }

    /** @param at when this version of the layer came first */
    record Layer(String version, Instant at) {}

    /** @param whole whether this is all there is, and not only what is new */
    record Update(String version, List<Any> resources, Collection<String> removed, boolean whole, int bytes,
            Instant at) {}

    /** What it wants to have. */
    record Wish(XdsResourceType kind, Set<String> names) {}

    private final InstantSource clock;

    private final Map<XdsResourceType, Received> received = new EnumMap<>(XdsResourceType.class);

    /** What clusters and listeners refer to, by their names. */
    private final Map<XdsResourceType, Map<String, Set<String>>> references = new EnumMap<>(XdsResourceType.class);

    /** How many resources it has of each kind. */
    private final Map<XdsResourceType, Integer> has = new EnumMap<>(XdsResourceType.class);

    private @Nullable Layer layer;

    private @Nullable Instant complete;

    private @Nullable Throwable lost;

    SimulatedProxy(String id, String group, Channel channel, Xds xds, InstantSource clock) {
        this.clock = clock;
        references.put(XdsResourceType.CLUSTER, new TreeMap<>());
        references.put(XdsResourceType.LISTENER, new TreeMap<>());
        var node = Node.newBuilder().setId(id).setCluster(group).setUserAgentName("envoy")
                .addAllExtensions(EXTENSIONS).build();
        var redirector = AggregatedDiscoveryServiceGrpc.newStub(channel);
        synchronized (this) {
            var stream = switch (xds) {
                case WHOLE_STATE -> new SotwAdsStream(this, node, redirector);
                case INCREMENTS -> new DeltaAdsStream(this, node, redirector);
            };
            // Envoy waits for its runtime before it asks for the rest; the answer to that comes at once.
            stream.subscribe(XdsResourceType.RUNTIME, Set.of("redliner"));
            stream.subscribe(XdsResourceType.CLUSTER, Set.of());
            stream.subscribe(XdsResourceType.LISTENER, Set.of());
        }
    }

    Instant now() {
        return clock.instant();
    }

    synchronized void take(XdsResourceType kind, Update update) {
        received.merge(kind, new Received(1, update.resources().size(), update.bytes()), Received::plus);
        if (update.whole()) {
            has.put(kind, update.resources().size());
        } else {
            has.merge(kind, update.resources().size() - update.removed().size(), Integer::sum);
        }
        var known = references.get(kind);
        if (known != null) {
            if (update.whole()) {
                known.clear();
            }
            update.removed().forEach(known::remove);
            update.resources().forEach(resource -> refer(kind, resource, known));
        }
        if (kind == XdsResourceType.RUNTIME && (layer == null || !layer.version().equals(update.version()))) {
            layer = new Layer(update.version(), update.at());
        }
        if (complete == null && isComplete()) {
            complete = update.at();
            notifyAll();
        }
    }

    private static void refer(XdsResourceType kind, Any resource, Map<String, Set<String>> known) {
        try {
            if (kind == XdsResourceType.CLUSTER) {
                var cluster = resource.unpack(Cluster.class);
                String own = cluster.getEdsClusterConfig().getServiceName();
                known.put(cluster.getName(), Set.of(own.isEmpty() ? cluster.getName() : own));
            } else {
                var listener = resource.unpack(Listener.class);
                Set<String> routes = new TreeSet<>();
                for (var chain : listener.getFilterChainsList()) {
                    for (var filter : chain.getFiltersList()) {
                        if (filter.getTypedConfig().is(HttpConnectionManager.class)) {
                            routes.add(filter.getTypedConfig().unpack(HttpConnectionManager.class).getRds()
                                    .getRouteConfigName());
                        }
                    }
                }
                known.put(listener.getName(), routes);
            }
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What has to be asked for after an update of this kind. */
    synchronized List<Wish> wishes(XdsResourceType kind) {
        return switch (kind) {
            case CLUSTER -> List.of(new Wish(XdsResourceType.ENDPOINTS, referred(XdsResourceType.CLUSTER)));
            case LISTENER -> List.of(new Wish(XdsResourceType.ROUTE, referred(XdsResourceType.LISTENER)));
            case ENDPOINTS, ROUTE, RUNTIME -> List.of();
        };
    }

    private Set<String> referred(XdsResourceType kind) {
        var names = new TreeSet<String>();
        references.getOrDefault(kind, Map.of()).values().forEach(names::addAll);
        return names;
    }

    private boolean isComplete() {
        return has.size() == XdsResourceType.values().length
                && has.getOrDefault(XdsResourceType.ENDPOINTS, 0) >= referred(XdsResourceType.CLUSTER).size()
                && has.getOrDefault(XdsResourceType.ROUTE, 0) >= referred(XdsResourceType.LISTENER).size();
    }

    synchronized void lost(Throwable broken) {
        lost = broken;
        notifyAll();
    }

    /**
     * When it had everything for the first time.
     *
     * @throws IllegalStateException when it has not by then, or its stream broke
     */
    synchronized Instant awaitComplete(Instant deadline) throws InterruptedException {
        while (complete == null) {
            if (lost != null) {
                throw new IllegalStateException("A stream broke", lost);
            }
            long left = deadline.toEpochMilli() - clock.millis();
            if (left <= 0) {
                throw new IllegalStateException("A proxy has not got everything in time: " + received);
            }
            wait(left);
        }
        return complete;
    }

    /**
     * The runtime layer that it has.
     *
     * @throws IllegalStateException when it has none
     */
    synchronized Layer layer() {
        if (layer == null || lost != null) {
            throw new IllegalStateException("A proxy has no runtime layer, or has lost its stream", lost);
        }
        return layer;
    }

    /** What came so far of all kinds. */
    synchronized Received total() {
        return received.values().stream().reduce(Received.NOTHING, Received::plus);
    }

    @Override
    public synchronized String toString() {
        return received + ", complete " + (complete != null) + ", lost " + lost;
    }
}
