// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.controlplane.server.DiscoveryServerCallbacks;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.redliner.redirector.share.ProxyEvents;
import io.redliner.redirector.share.ProxyEvents.StreamId;
import io.redliner.redirector.share.ProxyStream.Refusal;
import io.redliner.redirector.share.ResourceKey;
import io.redliner.redirector.share.ResourceKey.Channel;
import io.redliner.redirector.share.ResourceKey.Kind;
import io.redliner.redirector.xds.GroupResources.Selection;
import io.redliner.redirector.xds.ResourceWatcher.Answering;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees what each proxy takes and refuses on its configuration stream. A request that carries the nonce of a response is
 * the answer to it: with an error a refusal, else an acknowledgement; every other one only a change of subscription.
 */
final class AcknowledgementTracker implements DiscoveryServerCallbacks {

    /** What was sent last of one kind. In increments, also what is there after it was taken. */
    private record Sent(String nonce, String version, Map<ResourceKey, String> contents,
            Map<ResourceKey, String> after) {}

    private static final class Stream {

        private final Map<Kind, Sent> sent = new EnumMap<>(Kind.class);

        /** Of streams in increments, what the proxy has by its own word. */
        private final Map<Kind, Map<ResourceKey, String>> has = new EnumMap<>(Kind.class);

        private Set<String> routes = Set.of();
    }

    private final ProxyEvents events;

    private final ResourceWatcher watcher;

    private final Map<Long, Stream> streams = new HashMap<>();

    AcknowledgementTracker(ProxyEvents events, ResourceWatcher watcher) {
        this.events = events;
        this.watcher = watcher;
    }

    private Stream stream(long number, Node node) {
        return streams.computeIfAbsent(number, first -> {
            events.opened(id(number), node.getId(), node.getCluster(), Nodes.version(node));
            return new Stream();
        });
    }

    private void subscribed(long number, Stream stream, Set<String> routes) {
        if (!routes.equals(stream.routes)) {
            stream.routes = Set.copyOf(routes);
            events.carries(id(number), stream.routes);
        }
    }

    @Override
    public synchronized void onV3StreamRequest(long number, DiscoveryRequest request) {
        Stream stream = stream(number, request.getNode());
        Kind kind = Kinds.of(request.getTypeUrl()).orElse(null);
        if (kind == null) {
            return;
        }
        ResourceWatcher.answering(new Answering(
                refused(stream, kind, request.getResponseNonce(), request.hasErrorDetail()), Map.of()));
        if (kind == Kind.ROUTE) {
            subscribed(number, stream, new HashSet<>(request.getResourceNamesList()));
        }
        if (request.getResponseNonce().isEmpty()) {
            broughtAlong(number, kind, request);
            return;
        }
        answered(number, stream, kind, request.getResponseNonce(),
                request.hasErrorDetail() ? request.getErrorDetail().getMessage() : null);
    }

    /** A proxy that comes with just the version that it would be sent has it, from a redirector that is gone. */
    private void broughtAlong(long number, Kind kind, DiscoveryRequest request) {
        Selection same = watcher.sent(request.getNode().getCluster(), kind,
                ResourceWatcher.names(request.getResourceNamesList()), request.getVersionInfo());
        if (same != null) {
            events.acknowledged(id(number), kind, same.versions());
        }
    }

    private static @Nullable String refused(Stream stream, Kind kind, String nonce, boolean refuses) {
        Sent sent = stream.sent.get(kind);
        return refuses && sent != null && sent.nonce().equals(nonce) ? sent.version() : null;
    }

    private void answered(long number, Stream stream, Kind kind, String nonce, @Nullable String error) {
        Sent sent = stream.sent.get(kind);
        if (sent == null || !sent.nonce().equals(nonce)) {
            return;
        }
        if (error == null) {
            stream.has.computeIfPresent(kind, (same, had) -> sent.after());
            events.acknowledged(id(number), kind, sent.after());
        } else {
            events.refused(id(number), kind, new Refusal(sent.contents(), error));
        }
    }

    @Override
    public synchronized void onV3StreamResponse(long number, DiscoveryRequest request, DiscoveryResponse response) {
        Kind kind = Kinds.of(response.getTypeUrl()).orElse(null);
        Stream stream = streams.get(number);
        if (kind == null || stream == null) {
            return;
        }
        Selection selection = watcher.sent(request.getNode().getCluster(), kind,
                ResourceWatcher.names(request.getResourceNamesList()), response.getVersionInfo());
        Map<ResourceKey, String> contents = selection == null ? Map.of() : selection.versions();
        stream.sent.put(kind, new Sent(response.getNonce(), response.getVersionInfo(), contents, contents));
    }

    @Override
    public synchronized void onV3StreamDeltaRequest(long number, DeltaDiscoveryRequest request) {
        Stream stream = stream(number, request.getNode());
        Kind kind = Kinds.of(request.getTypeUrl()).orElse(null);
        if (kind == null) {
            return;
        }
        if (!stream.has.containsKey(kind)) {
            Map<ResourceKey, String> brought = new HashMap<>();
            request.getInitialResourceVersionsMap()
                    .forEach((name, version) -> brought.put(new ResourceKey(kind, name), version));
            stream.has.put(kind, brought);
            if (!brought.isEmpty()) {
                events.acknowledged(id(number), kind, Map.copyOf(brought));
            }
        }
        if (kind == Kind.ROUTE) {
            Set<String> routes = new HashSet<>(stream.routes);
            request.getResourceNamesUnsubscribeList().forEach(routes::remove);
            routes.addAll(request.getResourceNamesSubscribeList());
            subscribed(number, stream, routes);
        }
        String refused = refused(stream, kind, request.getResponseNonce(), request.hasErrorDetail());
        if (!request.getResponseNonce().isEmpty()) {
            answered(number, stream, kind, request.getResponseNonce(),
                    request.hasErrorDetail() ? request.getErrorDetail().getMessage() : null);
        }
        Map<ResourceKey, String> left = new HashMap<>(stream.has.getOrDefault(kind, Map.of()));
        request.getResourceNamesUnsubscribeList().forEach(name -> left.remove(new ResourceKey(kind, name)));
        stream.has.put(kind, left);
        Map<String, String> has = new HashMap<>();
        left.forEach((key, version) -> has.put(key.name(), version));
        ResourceWatcher.answering(new Answering(refused, has));
    }

    @Override
    public synchronized void onV3StreamDeltaResponse(long number, DeltaDiscoveryRequest request,
            DeltaDiscoveryResponse response) {
        Kind kind = Kinds.of(response.getTypeUrl()).orElse(null);
        Stream stream = streams.get(number);
        if (kind == null || stream == null) {
            return;
        }
        Map<ResourceKey, String> contents = new HashMap<>();
        response.getResourcesList().forEach(
                resource -> contents.put(new ResourceKey(kind, resource.getName()), resource.getVersion()));
        Map<ResourceKey, String> after = new HashMap<>(stream.has.getOrDefault(kind, Map.of()));
        response.getRemovedResourcesList().forEach(name -> after.remove(new ResourceKey(kind, name)));
        after.putAll(contents);
        stream.sent.put(kind, new Sent(response.getNonce(), response.getSystemVersionInfo(), Map.copyOf(contents),
                Map.copyOf(after)));
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
