// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.rpc.Status;
import io.envoyproxy.controlplane.server.DiscoveryServerCallbacks;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.Kind;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import io.redliner.redirector.envoy.ProxyGroupResources.Selection;
import io.redliner.redirector.envoy.XdsResponder.Answering;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sees what each proxy takes and refuses on its configuration stream. A request that carries the nonce of a response is
 * the answer to it: with an error a refusal, with its version an acknowledgement; every other one only a change of subscription.
 */
final class AcknowledgementTracker implements DiscoveryServerCallbacks {

    /**
     * What was sent of one kind.
     *
     * @param removed in increments, what the proxy does not have any more once it took this
     */
    private record Sent(String version, Map<ResourceKey, String> contents, Set<ResourceKey> removed) {

        Sent without(Collection<ResourceKey> unwanted) {
            Map<ResourceKey, String> rest = new HashMap<>(contents);
            rest.keySet().removeAll(unwanted);
            return new Sent(version, rest, removed);
        }
    }

    private static final class Stream {

        /**
         * By nonce, what may still be answered. Of a whole state only what was sent last counts; of increments several may be on
         * their way, and each one that is taken counts.
         */
        private final Map<Kind, Map<String, Sent>> sent = new EnumMap<>(Kind.class);

        /** Of streams in increments, what the proxy has by its own word. */
        private final Map<Kind, Map<ResourceKey, String>> has = new EnumMap<>(Kind.class);

        private Set<String> routes = Set.of();

        Map<String, Sent> sent(Kind kind) {
            return sent.computeIfAbsent(kind, first -> new HashMap<>());
        }

        Map<ResourceKey, String> has(Kind kind) {
            return has.computeIfAbsent(kind, first -> new HashMap<>());
        }
    }

    private final ProxyEventHandler events;

    private final XdsResponder watcher;

    private final Map<Long, Stream> streams = new HashMap<>();

    AcknowledgementTracker(ProxyEventHandler events, XdsResponder watcher) {
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
        Kind kind = TypeUrls.of(request.getTypeUrl()).orElse(null);
        if (kind == null) {
            return;
        }
        Sent answered = stream.sent(kind).get(request.getResponseNonce());
        XdsResponder.answering(new Answering(
                answered != null && request.hasErrorDetail() ? answered.version() : null, Map.of()));
        if (kind == Kind.ROUTE) {
            subscribed(number, stream, new HashSet<>(request.getResourceNamesList()));
        }
        if (request.getResponseNonce().isEmpty()) {
            broughtAlong(number, kind, request);
            return;
        }
        if (answered != null && request.hasErrorDetail()) {
            refused(number, kind, answered, request.getErrorDetail());
        } else if (answered != null && answered.version().equals(request.getVersionInfo())) {
            events.acknowledged(id(number), kind, answered.contents());
        }
    }

    /** A proxy that comes with just the version that it would be sent has it, from a redirector that is gone. */
    private void broughtAlong(long number, Kind kind, DiscoveryRequest request) {
        Selection same = watcher.sent(request.getNode().getCluster(), kind,
                XdsResponder.names(request.getResourceNamesList()), request.getVersionInfo());
        if (same != null) {
            events.acknowledged(id(number), kind, same.versions());
        }
    }

    private void refused(long number, Kind kind, Sent sent, Status error) {
        events.refused(id(number), kind, new Refusal(sent.contents(), error.getMessage()));
    }

    @Override
    public synchronized void onV3StreamResponse(long number, DiscoveryRequest request, DiscoveryResponse response) {
        Kind kind = TypeUrls.of(response.getTypeUrl()).orElse(null);
        Stream stream = streams.get(number);
        if (kind == null || stream == null) {
            return;
        }
        Selection selection = watcher.sent(request.getNode().getCluster(), kind,
                XdsResponder.names(request.getResourceNamesList()), response.getVersionInfo());
        Map<ResourceKey, String> contents = selection == null ? Map.of() : selection.versions();
        stream.sent.put(kind, Map.of(response.getNonce(), new Sent(response.getVersionInfo(), contents, Set.of())));
    }

    @Override
    public synchronized void onV3StreamDeltaRequest(long number, DeltaDiscoveryRequest request) {
        Stream stream = stream(number, request.getNode());
        Kind kind = TypeUrls.of(request.getTypeUrl()).orElse(null);
        if (kind == null) {
            return;
        }
        boolean first = !stream.has.containsKey(kind);
        Map<ResourceKey, String> has = stream.has(kind);
        if (first) {
            request.getInitialResourceVersionsMap()
                    .forEach((name, version) -> has.put(new ResourceKey(kind, name), version));
            if (!has.isEmpty()) {
                events.acknowledged(id(number), kind, Map.copyOf(has));
            }
        }
        if (kind == Kind.ROUTE) {
            Set<String> routes = new HashSet<>(stream.routes);
            request.getResourceNamesUnsubscribeList().forEach(routes::remove);
            routes.addAll(request.getResourceNamesSubscribeList());
            subscribed(number, stream, routes);
        }
        Sent answered = stream.sent(kind).remove(request.getResponseNonce());
        if (answered != null && request.hasErrorDetail()) {
            refused(number, kind, answered, request.getErrorDetail());
        } else if (answered != null) {
            has.keySet().removeAll(answered.removed());
            has.putAll(answered.contents());
            events.acknowledged(id(number), kind, Map.copyOf(has));
        }
        // What the proxy asks for once more has to be sent once more.
        forget(stream, kind, request.getResourceNamesUnsubscribeList());
        if (!first) {
            forget(stream, kind, request.getResourceNamesSubscribeList());
        }
        Map<String, String> versions = new HashMap<>();
        has.forEach((key, version) -> versions.put(key.name(), version));
        XdsResponder.answering(new Answering(
                answered != null && request.hasErrorDetail() ? answered.version() : null, versions));
    }

    /** The proxy has let go of these, even if they are on their way to it. */
    private static void forget(Stream stream, Kind kind, Collection<String> names) {
        if (!names.isEmpty()) {
            List<ResourceKey> unwanted = names.stream().map(name -> new ResourceKey(kind, name)).toList();
            stream.has(kind).keySet().removeAll(unwanted);
            stream.sent(kind).replaceAll((nonce, sent) -> sent.without(unwanted));
        }
    }

    @Override
    public synchronized void onV3StreamDeltaResponse(long number, DeltaDiscoveryRequest request,
            DeltaDiscoveryResponse response) {
        Kind kind = TypeUrls.of(response.getTypeUrl()).orElse(null);
        Stream stream = streams.get(number);
        if (kind == null || stream == null) {
            return;
        }
        Map<ResourceKey, String> contents = new HashMap<>();
        response.getResourcesList().forEach(
                resource -> contents.put(new ResourceKey(kind, resource.getName()), resource.getVersion()));
        Set<ResourceKey> removed = new HashSet<>();
        response.getRemovedResourcesList().forEach(name -> removed.add(new ResourceKey(kind, name)));
        stream.sent(kind).put(response.getNonce(),
                new Sent(response.getSystemVersionInfo(), Map.copyOf(contents), removed));
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
        return new StreamId(StreamKind.CONFIGURATION, number);
    }
}
