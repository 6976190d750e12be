// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.controlplane.cache.Resources;
import io.envoyproxy.controlplane.server.DiscoveryServerCallbacks;
import io.envoyproxy.controlplane.server.exception.RequestException;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;
import io.redliner.redirector.share.ProxyEvents;
import io.redliner.redirector.share.ProxyEvents.StreamId;
import io.redliner.redirector.share.ProxyStream.Refusal;
import io.redliner.redirector.share.ResourceKey;
import io.redliner.redirector.share.ResourceKey.Channel;
import io.redliner.redirector.share.ResourceKey.Kind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees what each proxy takes and refuses on its configuration stream. A request that carries the nonce of a response is
 * the answer to it: with an error a refusal, with the response's version an acknowledgement, and otherwise only a change
 * of subscription.
 */
final class AcknowledgementTracker implements DiscoveryServerCallbacks {

    private static final Map<String, Kind> KINDS = Map.of(
            Resources.V3.CLUSTER_TYPE_URL, Kind.CLUSTER,
            Resources.V3.ENDPOINT_TYPE_URL, Kind.ENDPOINTS,
            Resources.V3.LISTENER_TYPE_URL, Kind.LISTENER,
            Resources.V3.ROUTE_TYPE_URL, Kind.ROUTE);

    private record Sent(String nonce, String version, Map<ResourceKey, String> contents) {}

    private static final class Stream {

        private boolean announced;

        private final Map<Kind, Sent> sent = new EnumMap<>(Kind.class);

        /** What it had taken before it came here, from a redirector that is gone. */
        private final Map<Kind, String> brought = new EnumMap<>(Kind.class);
    }

    private final ProxyEvents events;

    private final Map<Long, Stream> streams = new HashMap<>();

    private @Nullable ProxyConfiguration current;

    AcknowledgementTracker(ProxyEvents events) {
        this.events = events;
    }

    /**
     * To be called before the proxies get it. A proxy that brought just this version will be sent nothing, and has it.
     */
    synchronized void publishing(ProxyConfiguration configuration) {
        current = configuration;
        streams.forEach(
                (number, stream) -> stream.brought.keySet().forEach(kind -> acceptBrought(number, stream, kind)));
    }

    private void acceptBrought(long number, Stream stream, Kind kind) {
        if (current != null && !stream.sent.containsKey(kind)
                && current.kindVersions().getOrDefault(kind, "").equals(stream.brought.get(kind))) {
            events.acknowledged(id(number), kind, current.versionsOf(kind));
        }
    }

    @Override
    public synchronized void onV3StreamRequest(long number, DiscoveryRequest request) {
        Stream stream = streams.computeIfAbsent(number, first -> new Stream());
        if (!stream.announced) {
            stream.announced = true;
            events.opened(id(number), request.getNode().getId());
        }
        Kind kind = KINDS.get(request.getTypeUrl());
        if (kind == null) {
            return;
        }
        if (request.getResponseNonce().isEmpty()) {
            // Only for subscriptions to everything does the version say which resources there are.
            if (request.getResourceNamesCount() == 0 && !request.getVersionInfo().isEmpty()) {
                stream.brought.put(kind, request.getVersionInfo());
                acceptBrought(number, stream, kind);
            }
            return;
        }
        Sent sent = stream.sent.get(kind);
        if (sent == null || !sent.nonce().equals(request.getResponseNonce())) {
            return;
        }
        if (request.hasErrorDetail()) {
            events.refused(id(number), kind, new Refusal(sent.contents(), request.getErrorDetail().getMessage()));
        } else if (sent.version().equals(request.getVersionInfo())) {
            events.acknowledged(id(number), kind, sent.contents());
        }
    }

    @Override
    public synchronized void onV3StreamResponse(long number, DiscoveryRequest request, DiscoveryResponse response) {
        Kind kind = KINDS.get(response.getTypeUrl());
        Stream stream = streams.get(number);
        if (kind == null || stream == null) {
            return;
        }
        Map<ResourceKey, String> contents = new HashMap<>();
        for (Any resource : response.getResourcesList()) {
            contents.put(new ResourceKey(kind, name(kind, resource)), Versions.of(resource.getValue()));
        }
        stream.sent.put(kind, new Sent(response.getNonce(), response.getVersionInfo(), contents));
    }

    private static String name(Kind kind, Any resource) {
        try {
            return switch (kind) {
                case CLUSTER -> resource.unpack(Cluster.class).getName();
                case ENDPOINTS -> resource.unpack(ClusterLoadAssignment.class).getClusterName();
                case LISTENER -> resource.unpack(Listener.class).getName();
                case ROUTE -> resource.unpack(RouteConfiguration.class).getName();
                case SHARE -> throw new IllegalArgumentException("shares do not travel here");
            };
        } catch (InvalidProtocolBufferException ours) {
            throw new IllegalStateException("a " + kind + " of our own making cannot be read", ours);
        }
    }

    @Override
    public void onV3StreamDeltaRequest(long number, DeltaDiscoveryRequest request) throws RequestException {
        throw new RequestException(Status.UNIMPLEMENTED.withDescription(
                "incremental xDS is not served: set api_type GRPC, not DELTA_GRPC, in the bootstrap's ads_config"));
    }

    @Override
    public void onStreamClose(long number, String typeUrl) {
        closed(number);
    }

    @Override
    public void onStreamCloseWithError(long number, String typeUrl, Throwable error) {
        closed(number);
    }

    private synchronized void closed(long number) {
        streams.remove(number);
        events.closed(id(number));
    }

    private static StreamId id(long number) {
        return new StreamId(Channel.CONFIGURATION, number);
    }
}
