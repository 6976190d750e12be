// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.AbstractWatch;
import io.envoyproxy.controlplane.cache.ConfigWatcher;
import io.envoyproxy.controlplane.cache.DeltaResponse;
import io.envoyproxy.controlplane.cache.DeltaWatch;
import io.envoyproxy.controlplane.cache.DeltaXdsRequest;
import io.envoyproxy.controlplane.cache.Response;
import io.envoyproxy.controlplane.cache.VersionedResource;
import io.envoyproxy.controlplane.cache.Watch;
import io.envoyproxy.controlplane.cache.XdsRequest;
import io.envoyproxy.controlplane.server.DiscoveryServerCallbacks;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import io.redliner.redirector.envoy.ProxyGroupResources.Selection;
import io.redliner.redirector.envoy.XdsSubscription.Sent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One proxy's stream: the resources that the proxy subscribed to, was sent, and acknowledged. The library opens a watch for each
 * request. The watch is answered once there is something new among the resources that the proxy asked for; the library's own cache
 * would send all. A request that carries the nonce of a response answers it: with an error it is a refusal, with the response's
 * version an acknowledgement. Every other request only changes the subscription. A proxy that refused gets the next version
 * at once, and the same version after a pause, because the cause may be gone. Guarded by {@link XdsStreams}.
 */
final class XdsStream implements DiscoveryServerCallbacks, ConfigWatcher {

    private static final Logger LOGGER = LoggerFactory.getLogger(XdsStream.class);

    private final XdsStreams streams;

    private final long number;

    private final ProxyEventHandler events;

    private final Map<ResourceType, XdsSubscription> subscriptions = new EnumMap<>(ResourceType.class);

    private final Set<StreamKind> opened = EnumSet.noneOf(StreamKind.class);

    private final RuntimeLayer layer = new RuntimeLayer();

    private @Nullable String group;

    private String node = "";

    private final CarriedServices carried = new CarriedServices();

    XdsStream(XdsStreams streams, long number, ProxyEventHandler events) {
        this.streams = streams;
        this.number = number;
        this.events = events;
    }

    long number() {
        return number;
    }

    /** The proxy's group, or empty before it has named its node. */
    String group() {
        return group == null ? "" : group;
    }

    RuntimeLayer layer() {
        return layer;
    }

    /** Returns the time at which a delayed response is due, or empty. */
    Optional<Instant> due() {
        return Stream.concat(layer.due().stream(),
                subscriptions.values().stream().flatMap(own -> own.offeredAgain().stream()))
                .min(Comparator.naturalOrder());
    }

    /** Answers the proxy if it waits for this type and there is something new. */
    void answer(ResourceType type) {
        XdsSubscription own = subscriptions.get(type);
        if (own != null) {
            own.answer();
        }
    }

    /** Records how many listeners the proxy with this node id failed to create since it started. */
    void listenersFailed(String proxy, long count) {
        if (proxy.equals(node) && opened.contains(StreamKind.CONFIGURATION)) {
            subscription(ResourceType.LISTENER).failed(count);
            answer(ResourceType.LISTENER);
        }
    }

    private StreamId id(ResourceType type) {
        return new StreamId(type.streamKind(), number);
    }

    /** Returns the subscription. The first one of the stream also joins the group and reports the opening. */
    private XdsSubscription subscription(ResourceType type, Node proxy) {
        if (group == null) {
            group = proxy.getCluster();
            node = proxy.getId();
            streams.join(this);
        }
        if (opened.add(type.streamKind())) {
            events.opened(id(type), proxy.getId(), group, Nodes.software(proxy));
        }
        return subscription(type);
    }

    private XdsSubscription subscription(ResourceType type) {
        return subscriptions.computeIfAbsent(type, first -> new XdsSubscription(type));
    }

    private void reportCarried() {
        carried.changed().ifPresent(services -> events.carries(id(ResourceType.ROUTE), services));
    }

    @Override
    public void onV3StreamRequest(long alwaysFirst, DiscoveryRequest request) {
        synchronized (streams) {
            ResourceType type = ResourceType.ofLibraryUrl(request.getTypeUrl());
            XdsSubscription own = subscription(type, request.getNode());
            if (type == ResourceType.ROUTE) {
                carried.subscribed(request.getResourceNamesList());
                reportCarried();
            }
            Sent answered = own.sent(request.getResponseNonce());
            own.refuseNothing();
            if (request.getResponseNonce().isEmpty()) {
                broughtAlong(type, request);
            } else if (answered != null && request.hasErrorDetail()) {
                refused(own, answered, request.getErrorDetail().getMessage().strip());
            } else if (answered != null && answered.version().equals(request.getVersionInfo())) {
                acknowledged(type, answered.contents());
            }
        }
    }

    /**
     * A proxy that names the current version in its first request has it from a redirector that is gone: that counts as an
     * acknowledgement.
     */
    private void broughtAlong(ResourceType type, DiscoveryRequest request) {
        if (type == ResourceType.SHARE) {
            layer.restore(request.getVersionInfo());
            return;
        }
        Selection same = streams.sent(group(), type, XdsSubscription.names(request.getResourceNamesList()),
                request.getVersionInfo());
        if (same != null) {
            acknowledged(type, same.versions());
        }
    }

    private void refused(XdsSubscription own, Sent sent, String error) {
        ResourceType type = own.type();
        own.refuse(sent.version(), streams.now().plus(streams.refusalPause()));
        if (type == ResourceType.SHARE) {
            layer.answered(true);
        } else if (type == ResourceType.LISTENER) {
            carried.refused(sent.contents().keySet());
            reportCarried();
        }
        events.refused(id(type), type.name(), new Refusal(sent.contents(), error, own.failed()));
    }

    private void acknowledged(ResourceType type, Map<ResourceKey, String> versions) {
        if (type == ResourceType.SHARE) {
            layer.answered(false);
        } else if (type == ResourceType.LISTENER) {
            carried.refused(Set.of());
            reportCarried();
        }
        events.acknowledged(id(type), type.name(), versions);
    }

    @Override
    public void onV3StreamResponse(long alwaysFirst, DiscoveryRequest request, DiscoveryResponse response) {
        synchronized (streams) {
            ResourceType type = ResourceType.ofLibraryUrl(request.getTypeUrl());
            subscription(type, request.getNode()).sentAll(response.getNonce(),
                    new Sent(response.getVersionInfo(), contents(type, request, response), Set.of()));
        }
    }

    private Map<ResourceKey, String> contents(ResourceType type, DiscoveryRequest request, DiscoveryResponse response) {
        if (type == ResourceType.SHARE) {
            return layer.versions();
        }
        Selection selection = streams.sent(group(), type, XdsSubscription.names(request.getResourceNamesList()),
                response.getVersionInfo());
        return selection == null ? Map.of() : selection.versions();
    }

    @Override
    public void onV3StreamDeltaRequest(long alwaysFirst, DeltaDiscoveryRequest request) {
        synchronized (streams) {
            ResourceType type = ResourceType.ofLibraryUrl(request.getTypeUrl());
            XdsSubscription own = subscription(type, request.getNode());
            boolean first = own.begin();
            if (first) {
                broughtAlong(type, own, request.getInitialResourceVersionsMap());
            }
            if (type == ResourceType.ROUTE) {
                carried.subscribed(request.getResourceNamesUnsubscribeList(), request.getResourceNamesSubscribeList());
                reportCarried();
            }
            Sent answered = own.answered(request.getResponseNonce());
            own.refuseNothing();
            if (answered != null && request.hasErrorDetail()) {
                refused(own, answered, request.getErrorDetail().getMessage().strip());
            } else if (answered != null) {
                acknowledged(type, own.take(answered));
            }
            // A resource that the proxy subscribes to again must be sent again.
            own.forget(request.getResourceNamesUnsubscribeList());
            if (!first) {
                own.forget(request.getResourceNamesSubscribeList());
            }
        }
    }

    private void broughtAlong(ResourceType type, XdsSubscription own, Map<String, String> versions) {
        if (type == ResourceType.SHARE) {
            layer.restore(versions.getOrDefault(ResourceNames.LAYER, ""));
            return;
        }
        if (!versions.isEmpty()) {
            Map<ResourceKey, String> has = new HashMap<>();
            versions.forEach((name, version) -> has.put(type.key(name), version));
            acknowledged(type, own.take(new Sent("", has, Set.of())));
        }
    }

    @Override
    public void onV3StreamDeltaResponse(long alwaysFirst, DeltaDiscoveryRequest request,
            DeltaDiscoveryResponse response) {
        synchronized (streams) {
            ResourceType type = ResourceType.ofLibraryUrl(request.getTypeUrl());
            Map<ResourceKey, String> contents = new HashMap<>();
            response.getResourcesList().forEach(
                    resource -> contents.put(type.key(resource.getName()), resource.getVersion()));
            Set<ResourceKey> removed = new HashSet<>();
            response.getRemovedResourcesList().forEach(name -> removed.add(type.key(name)));
            subscription(type, request.getNode()).sent(response.getNonce(), new Sent(
                    response.getSystemVersionInfo(), type == ResourceType.SHARE ? layer.versions() : contents,
                    removed));
        }
    }

    @Override
    public void onStreamClose(long alwaysFirst, String typeUrl) {
        close();
    }

    @Override
    public void onStreamCloseWithError(long alwaysFirst, String typeUrl, Throwable error) {
        close();
    }

    private void close() {
        synchronized (streams) {
            streams.leave(this);
            LOGGER.debug("stream {} of a proxy of {} ended", number, group());
            opened.forEach(streamKind -> events.closed(new StreamId(streamKind, number)));
            opened.clear();
        }
    }

    @Override
    public Watch createWatch(boolean ads, XdsRequest request, Set<String> known, Consumer<Response> consumer,
            boolean hasClusterChanged, boolean allowDefaultEmptyEdsUpdate) {
        Watch watch = new Watch(ads, allowDefaultEmptyEdsUpdate, request, consumer);
        synchronized (streams) {
            ResourceType type = ResourceType.ofLibraryUrl(request.getTypeUrl());
            if (type == ResourceType.SHARE) {
                boolean subscribed = request.getResourceNamesList().contains(ResourceNames.LAYER);
                await(type, watch, () -> answerShares(subscribed, next -> XdsSubscription.respond(watch,
                        Response.create(request, List.of(next), next.getVersion()))));
                return watch;
            }
            List<String> names = XdsSubscription.names(request.getResourceNamesList());
            if (names.isEmpty() && !type.wildcard()) {
                return watch;
            }
            // A changed cluster waits for its endpoints, even when these are the same. And a proxy that connected before anything
            // was published gets the same version once more, so that it acknowledges that.
            boolean early = request.getResponseNonce().isEmpty() && streams.resources(group()) == null;
            boolean anyVersion = early
                    || (hasClusterChanged && type == ResourceType.ENDPOINTS && !request.hasErrorDetail());
            await(type, watch, () -> {
                ProxyGroupResources resources = offered(type, names);
                if (resources == null) {
                    return false;
                }
                Selection selection = resources.select(type, names);
                boolean changed = anyVersion || subscription(type).inDoubt()
                        || !selection.version().equals(request.getVersionInfo());
                return changed && (!selection.resources().isEmpty() || type.wildcard())
                        && XdsSubscription.respond(watch, Response.create(request,
                                selection.resources().stream().map(VersionedResource::resource).toList(),
                                selection.version()));
            });
            return watch;
        }
    }

    /** Returns the current resources; null before the first are published, and while the proxy refuses the version it would get. */
    private @Nullable ProxyGroupResources offered(ResourceType type, List<String> names) {
        ProxyGroupResources resources = streams.resources(group());
        return resources == null
                || subscription(type).refuses(resources.select(type, names).version(), streams.now())
                        ? null
                        : resources;
    }

    private boolean answerShares(boolean subscribed, Consumer<Resource> answer) {
        if (!subscribed) {
            layer.unsubscribed();
            return false;
        }
        Optional<Resource> next = streams.shares(group()).flatMap(shares -> layer.next(shares, streams.now()));
        next.ifPresent(answer);
        return next.isPresent();
    }

    @Override
    public DeltaWatch createDeltaWatch(DeltaXdsRequest request, String requesterVersion,
            Map<String, String> resourceVersions, Set<String> pendingResources, boolean isWildcard,
            Consumer<DeltaResponse> responseConsumer, boolean hasClusterChanged) {
        synchronized (streams) {
            ResourceType type = ResourceType.ofLibraryUrl(request.getTypeUrl());
            // The library forgets the versions that a proxy had from another stream.
            Map<String, String> has = new HashMap<>();
            subscription(type).has().forEach((key, version) -> has.put(key.name(), version));
            Set<String> pending = Set.copyOf(pendingResources);
            DeltaWatch watch = new DeltaWatch(request, has, pending, requesterVersion, isWildcard, responseConsumer);
            if (type == ResourceType.SHARE) {
                boolean subscribed = pending.contains(ResourceNames.LAYER)
                        || resourceVersions.containsKey(ResourceNames.LAYER);
                await(type, watch, () -> answerShares(subscribed, next -> XdsSubscription.respond(watch,
                        DeltaResponse.create(request, Map.of(ResourceNames.LAYER,
                                VersionedResource.create(next, next.getVersion())), List.of(), next.getVersion()))));
                return watch;
            }
            boolean resend = hasClusterChanged && type == ResourceType.ENDPOINTS && !request.hasErrorDetail();
            await(type, watch, () -> {
                ProxyGroupResources resources = offered(type, List.of());
                if (resources == null) {
                    return false;
                }
                Map<String, VersionedResource<?>> changed = new HashMap<>();
                List<String> removed = new ArrayList<>(has.keySet());
                removed.removeAll(resources.all(type).keySet());
                resources.all(type).forEach((name, resource) -> {
                    boolean subscribed = isWildcard || pending.contains(name) || has.containsKey(name);
                    boolean again = (resend && pending.contains(name)) || subscription(type).inDoubt();
                    if (subscribed && (again || !resource.version().equals(has.get(name)))) {
                        changed.put(name, resource);
                    }
                });
                return (!changed.isEmpty() || !removed.isEmpty()) && XdsSubscription.respond(watch,
                        DeltaResponse.create(request, changed, removed, resources.select(type, List.of()).version()));
            });
            return watch;
        }
    }

    /** Answers the watch now if there is something new, or else once there is. */
    private void await(ResourceType type, AbstractWatch<?, ?> watch, BooleanSupplier answer) {
        XdsSubscription own = subscription(type);
        own.await(watch, answer, streams);
        own.answer();
    }
}
