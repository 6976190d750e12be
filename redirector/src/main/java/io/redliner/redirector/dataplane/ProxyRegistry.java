// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.routing.Service;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** All open streams, by groups of proxies. Confined to one thread. */
public final class ProxyRegistry {

    private final ProxyTraffic traffic;

    private final Map<StreamId, ProxyStream> streams = new HashMap<>();

    /** By group and node id. */
    private final Map<String, SortedMap<String, Map<StreamId, ProxyStream>>> groups = new HashMap<>();

    public ProxyRegistry(ProxyTraffic traffic) {
        this.traffic = traffic;
    }

    public void open(StreamId id, ProxyStream stream) {
        streams.put(id, stream);
        groups.computeIfAbsent(stream.group(), group -> new TreeMap<>())
                .computeIfAbsent(stream.node(), node -> new LinkedHashMap<>()).put(id, stream);
    }

    /** Removes the stream, and returns it, or empty when it was not open. */
    public Optional<ProxyStream> close(StreamId id) {
        ProxyStream stream = streams.remove(id);
        if (stream != null) {
            groups.computeIfPresent(stream.group(), (group, nodes) -> {
                nodes.computeIfPresent(stream.node(), (node, own) -> {
                    own.remove(id);
                    return own.isEmpty() ? null : own;
                });
                return nodes.isEmpty() ? null : nodes;
            });
        }
        return Optional.ofNullable(stream);
    }

    /** The stream, or empty when it is not open: events of a closed stream are ignored. */
    public Optional<ProxyStream> find(StreamId id) {
        return Optional.ofNullable(streams.get(id));
    }

    /** The proxies that carry the service's traffic, by node id. */
    public List<Proxy> of(Service service) {
        boolean all = service.integration().ownersRoute().isPresent();
        return groups.getOrDefault(service.proxies(), new TreeMap<>()).entrySet().stream()
                .map(entry -> proxy(entry.getKey(), service, List.copyOf(entry.getValue().values())))
                .filter(proxy -> all || proxy.carries())
                .toList();
    }

    private Proxy proxy(String node, Service service, List<ProxyStream> own) {
        // Counters that two proxies report under one node id cannot be distinguished.
        boolean alone = own.stream().map(ProxyStream::streamKind).distinct().count() == own.size();
        return new Proxy(node, service.name(), own,
                alone ? traffic.requestsPerSecond(node, service.name()) : OptionalDouble.empty());
    }

    /** The streams of one node of a group. */
    public Map<StreamId, ProxyStream> streams(String group, String node) {
        return groups.getOrDefault(group, new TreeMap<>()).getOrDefault(node, Map.of());
    }
}
