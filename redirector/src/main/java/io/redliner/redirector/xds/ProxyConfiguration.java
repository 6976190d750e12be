// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import com.google.protobuf.Message;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.share.Arrangement;
import io.redliner.redirector.share.ResourceKey;
import io.redliner.redirector.share.ResourceKey.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything that proxies are told, with its versions.
 *
 * @param kindVersions the version under which all resources of a kind are sent
 * @param versions of each resource
 * @param wanted by service, what has to be acknowledged for it. Listeners are not among it: a share can be in force while
 *        another service's port is taken.
 */
record ProxyConfiguration(Snapshot snapshot, ShareOverrides overrides, Map<Kind, String> kindVersions,
        Map<ResourceKey, String> versions, Map<String, Map<ResourceKey, String>> wanted) {

    static ProxyConfiguration of(List<Arrangement> arrangements) {
        Builder builder = new Builder();
        arrangements.forEach(builder::add);
        return builder.build(ShareOverrides.of(arrangements));
    }

    /** All resources of a kind by their versions. */
    Map<ResourceKey, String> versionsOf(Kind kind) {
        Map<ResourceKey, String> found = new HashMap<>(versions);
        found.keySet().removeIf(key -> key.kind() != kind);
        return found;
    }

    private static final class Builder {

        private final List<Cluster> clusters = new ArrayList<>();

        private final List<ClusterLoadAssignment> endpoints = new ArrayList<>();

        private final List<Listener> listeners = new ArrayList<>();

        private final List<RouteConfiguration> routes = new ArrayList<>();

        private final Map<ResourceKey, String> versions = new HashMap<>();

        private final Map<String, Map<ResourceKey, String>> wanted = new LinkedHashMap<>();

        void add(Arrangement arrangement) {
            Service service = arrangement.service();
            Map<ResourceKey, String> own = new HashMap<>();
            Map<String, List<Instance>> groups = new LinkedHashMap<>();
            groups.put(ProxyNames.fleet(service), service.instances());
            arrangement.layout().sut().ifPresent(sut -> {
                groups.put(ProxyNames.peersOf(service, sut), service.peersOf(sut));
                groups.put(ProxyNames.sut(service, sut), List.of(sut));
            });
            groups.forEach((name, instances) -> {
                clusters.add(versioned(own, Kind.CLUSTER, name, Clusters.cluster(name)));
                endpoints.add(versioned(own, Kind.ENDPOINTS, name, Clusters.endpoints(name, instances)));
            });
            routes.add(versioned(own, Kind.ROUTE, service.name(), Routes.route(arrangement)));
            wanted.put(service.name(), own);
            versions.putAll(own);
            listeners.add(versioned(versions, Kind.LISTENER, service.name(), Listeners.listener(service)));
        }

        private static <M extends Message> M versioned(Map<ResourceKey, String> versions, Kind kind, String name,
                M message) {
            versions.put(new ResourceKey(kind, name), Versions.of(message.toByteString()));
            return message;
        }

        ProxyConfiguration build(ShareOverrides overrides) {
            overrides.versions().forEach((key, version) -> {
                versions.put(key, version);
                wanted.computeIfAbsent(key.name(), name -> new HashMap<>()).put(key, version);
            });
            Map<Kind, String> kinds = new TreeMap<>();
            for (Kind kind : Kind.values()) {
                kinds.put(kind, kindVersion(kind));
            }
            Snapshot snapshot = Snapshot.create(clusters, kindVersion(Kind.CLUSTER), endpoints,
                    kindVersion(Kind.ENDPOINTS), listeners, kindVersion(Kind.LISTENER), routes,
                    kindVersion(Kind.ROUTE), List.of(), "none");
            return new ProxyConfiguration(snapshot, overrides, kinds, Map.copyOf(versions), wanted);
        }

        private String kindVersion(Kind kind) {
            Map<String, String> own = new HashMap<>();
            versions.forEach((key, version) -> {
                if (key.kind() == kind) {
                    own.put(key.name(), version);
                }
            });
            return Versions.of(own);
        }
    }
}
