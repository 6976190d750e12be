// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All proxies with an open stream, by groups of proxies. Confined to one thread. */
public final class ProxyRegistry {

    private final ProxyTraffic traffic;

    private final Map<StreamId, Proxy> proxies = new HashMap<>();

    /** By group and node id. */
    private final Map<String, SortedMap<String, Proxy>> groups = new HashMap<>();

    public ProxyRegistry(ProxyTraffic traffic) {
        this.traffic = traffic;
    }

    /** Records that a proxy opened a stream. */
    public void open(StreamId id, String node, String group, ProxySoftware software, Instant now) {
        Proxy proxy = groups.computeIfAbsent(group, first -> new TreeMap<>()).computeIfAbsent(node,
                first -> new Proxy(node, group, service -> traffic.requestsPerSecond(node, service)));
        proxy.open(id, software, now);
        proxies.put(id, proxy);
    }

    /** Removes the stream, and its proxy with its last one. */
    public void close(StreamId id) {
        Proxy proxy = proxies.remove(id);
        if (proxy == null) {
            return;
        }
        proxy.close(id);
        if (proxy.streams().isEmpty()) {
            groups.computeIfPresent(proxy.group(), (group, nodes) -> {
                nodes.remove(proxy.node());
                return nodes.isEmpty() ? null : nodes;
            });
        }
    }

    /** The proxy of the stream, or empty when the stream is not open: events of a closed stream are ignored. */
    public Optional<Proxy> find(StreamId id) {
        return Optional.ofNullable(proxies.get(id));
    }

    /** The proxies that carry the service's traffic, by node id. */
    public List<Proxy> of(Service service) {
        boolean all = service.integration().ownersRoute().isPresent();
        return groups.getOrDefault(service.proxies(), new TreeMap<>()).values().stream()
                .filter(proxy -> all || proxy.carries(service.name()))
                .toList();
    }
}
