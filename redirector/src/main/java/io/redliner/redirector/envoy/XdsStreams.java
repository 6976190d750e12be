// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.envoy.ProxyGroupResources.Selection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The xDS streams of all proxies, and the resources and shares of each proxy group. Its lock guards the streams as well. Each
 * decision is sent before the next one is made, so no response overtakes another.
 */
final class XdsStreams {

    /** The order in which proxies get the resources, so that a route never comes before its clusters. */
    private static final List<ResourceType> ORDER = List.of(ResourceType.CLUSTER, ResourceType.ENDPOINTS,
            ResourceType.LISTENER, ResourceType.ROUTE);

    /** Versions of a group's resources that are kept. */
    private static final int MAX_RECENT = 8;

    private static final class Group {

        private @Nullable ProxyGroupResources currentResources;

        /** The current resources and some earlier ones, because a proxy may still acknowledge an older version. */
        private final Deque<ProxyGroupResources> recent = new ArrayDeque<>();

        /** Shares by service, which replace {@link #shares} at the next {@link XdsStreams#sendShares}. */
        private final Map<String, RuntimeOverride> nextShares = new TreeMap<>();

        private Map<String, RuntimeOverride> shares = Map.of();

        private final Set<XdsStream> streams = new LinkedHashSet<>();

        boolean unknown() {
            return currentResources == null && nextShares.isEmpty() && streams.isEmpty();
        }
    }

    private final InstantSource clock;

    private final Duration refusalPause;

    private final Map<String, Group> groups = new HashMap<>();

    /** Groups whose shares changed since the last {@link #sendShares}. */
    private final Set<String> changedGroups = new HashSet<>();

    private final Map<Long, XdsStream> streams = new HashMap<>();

    private Set<String> suspended = Set.of();

    private long lastNumber;

    /** True after the first {@link #sendShares}. Before it, proxies get no shares. */
    private boolean sharesSent;

    /** @param refusalPause time after which the next {@link #sendShares} offers a refused version again */
    XdsStreams(InstantSource clock, Duration refusalPause) {
        this.clock = clock;
        this.refusalPause = refusalPause;
    }

    /** Opens a stream. It is reported as connected once the proxy has named its node. */
    synchronized XdsStream open(ProxyEventHandler events) {
        return new XdsStream(this, ++lastNumber, events);
    }

    /** Adds a stream whose proxy has named its node. */
    synchronized void join(XdsStream stream) {
        streams.put(stream.number(), stream);
        group(stream.group()).streams.add(stream);
    }

    synchronized void leave(XdsStream stream) {
        if (streams.remove(stream.number()) != null) {
            group(stream.group()).streams.remove(stream);
            groups.computeIfPresent(stream.group(), (name, group) -> group.unknown() ? null : group);
        }
    }

    private Group group(String name) {
        return groups.computeIfAbsent(name, first -> new Group());
    }

    /** Publishes the resources of a group, without its shares, and answers the proxies that wait. */
    synchronized void publish(String name, ProxyGroupResources next) {
        Group group = group(name);
        group.currentResources = next;
        group.recent.addFirst(next);
        if (group.recent.size() > MAX_RECENT) {
            group.recent.removeLast();
        }
        List<XdsStream> waiting = List.copyOf(group.streams);
        ORDER.forEach(type -> waiting.forEach(stream -> stream.answer(type)));
    }

    /** Returns the resources that were published last for the group, or null. */
    synchronized @Nullable ProxyGroupResources resources(String name) {
        return group(name).currentResources;
    }

    /** Returns the selection that was published under this version recently, or null. */
    synchronized @Nullable Selection sent(String name, ResourceType type, List<String> names, String version) {
        return group(name).recent.stream()
                .map(resources -> resources.select(type, names))
                .filter(selection -> selection.version().equals(version))
                .findFirst().orElse(null);
    }

    /** Sets the service's share, which is sent at the next {@link #sendShares}; empty when there is none. */
    synchronized void put(String name, String service, Optional<RuntimeOverride> share) {
        Map<String, RuntimeOverride> next = group(name).nextShares;
        share.ifPresentOrElse(known -> next.put(service, known), () -> next.remove(service));
        changedGroups.add(name);
    }

    /** Replaces the set of groups whose proxies get no shares for now. */
    synchronized void suspend(Set<String> names) {
        changedGroups.addAll(suspended);
        suspended = Set.copyOf(names);
    }

    /** Withdraws the admission of all streams: the proxies must acknowledge again what the service's share needs. */
    synchronized void dismissAll(String name, String service) {
        group(name).streams.forEach(stream -> stream.layer().remove(service));
        changedGroups.add(name);
    }

    /** Admits the stream to the service's share. */
    synchronized void admit(long number, String service) {
        XdsStream stream = streams.get(number);
        if (stream != null) {
            stream.layer().admit(service);
            changedGroups.add(stream.group());
        }
    }

    /** Sends the changed shares, and the responses that are due now. */
    synchronized void sendShares() {
        Set<XdsStream> next = new LinkedHashSet<>(sharesSent ? List.of() : streams.values());
        sharesSent = true;
        for (String name : changedGroups) {
            Group group = group(name);
            group.shares = Map.copyOf(group.nextShares);
            next.addAll(group.streams);
        }
        changedGroups.clear();
        next.forEach(stream -> stream.answer(ResourceType.SHARE));
        Instant now = clock.instant();
        for (XdsStream stream : List.copyOf(streams.values())) {
            if (stream.due().filter(due -> !due.isAfter(now)).isPresent()) {
                ORDER.forEach(stream::answer);
                stream.answer(ResourceType.SHARE);
            }
        }
    }

    /** Records how many listeners a proxy failed to create since it started; it is sent all of them again when it is more. */
    synchronized void listenersFailed(String node, long count) {
        streams.values().forEach(stream -> stream.listenersFailed(node, count));
    }

    /** Returns the runtime keys of the group's services, by service; empty while its proxies get no shares. */
    synchronized Optional<Map<String, RuntimeOverride>> shares(String name) {
        return sharesSent && !suspended.contains(name) ? Optional.of(group(name).shares) : Optional.empty();
    }

    Instant now() {
        return clock.instant();
    }

    Duration refusalPause() {
        return refusalPause;
    }
}
