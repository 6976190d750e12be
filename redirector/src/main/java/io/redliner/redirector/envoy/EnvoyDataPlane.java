// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.envoy.ProxyGroupResources.Replacement;
import io.redliner.redirector.lease.DataPlane;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sends desired routings to Envoy proxies. All proxies of a group get the same resources. A change of one service reaches only the
 * proxies of its group.
 */
public final class EnvoyDataPlane implements DataPlane {

    /** A routing as Envoy has it: resources, and runtime keys while it needs any. */
    private record Applied(DesiredRouting desired, ServiceResources resources,
            Optional<RuntimeOverride> runtimeOverride) {

        /** Returns the versions that the proxies have to acknowledge. */
        Map<ResourceKey, String> wanted() {
            Map<ResourceKey, String> wanted = resources.wanted();
            wanted.put(ResourceKey.share(desired.service().name()),
                    runtimeOverride.map(RuntimeOverride::version).orElse(ResourceKey.NATURAL_SHARE));
            return wanted;
        }
    }

    private final XdsStreams streams;

    private final Map<String, Applied> services = new HashMap<>();

    /** Services by the names of their clusters in the proxies' statistics, or the beginnings of these names. */
    private final Map<String, String> byCluster = new HashMap<>();

    private final Map<String, ProxyGroupResources> groups = new HashMap<>();

    /** Groups whose resources have changed since they were sent. */
    private final Set<String> touched = new HashSet<>();

    /** Groups that were sent something. They are never suspended after that. */
    private final Set<String> served = new HashSet<>();

    /** Groups that are sent nothing yet. */
    private Set<String> suspended = new HashSet<>();

    /** @param refusalPause how long until a refused version is offered again */
    EnvoyDataPlane(Duration refusalPause, InstantSource clock) {
        this.streams = new XdsStreams(clock, refusalPause);
    }

    @Override
    public synchronized Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> routings) {
        // The step that can fail comes first, so that a failure changes nothing for any service.
        List<Applied> prepared = routings.stream().map(this::prepare).toList();
        Map<String, Map<ResourceKey, String>> wanted = new LinkedHashMap<>();
        Map<String, List<Replacement>> replacements = new HashMap<>();
        for (Applied next : prepared) {
            Service service = next.desired().service();
            Applied before = services.put(service.name(), next);
            ServiceResources old = before == null ? ServiceResources.NONE : before.resources();
            ResourceNames.inStatistics(service).forEach(cluster -> byCluster.put(cluster, service.name()));
            replacements.computeIfAbsent(service.proxies(), group -> new ArrayList<>())
                    .add(new Replacement(old, next.resources()));
            if (before == null || !sameTest(before.desired(), next.desired())) {
                streams.dismissAll(service.proxies(), service.name());
            }
            streams.put(service.proxies(), service.name(), next.runtimeOverride());
            wanted.put(service.name(), next.wanted());
        }
        replacements.forEach(this::replace);
        return wanted;
    }

    private Applied prepare(DesiredRouting desired) {
        Applied before = services.get(desired.service().name());
        ServiceResources resources = before != null && sameLayout(before.desired(), desired)
                ? before.resources()
                : ServiceResources.of(desired);
        return new Applied(desired, resources, RuntimeOverride.of(desired));
    }

    private static boolean sameLayout(DesiredRouting one, DesiredRouting other) {
        return one.service().equals(other.service()) && one.layout().equals(other.layout())
                && one.retiring().equals(other.retiring());
    }

    private static boolean sameTest(DesiredRouting one, DesiredRouting other) {
        if (one.lease().isEmpty() || other.lease().isEmpty()) {
            return false;
        }
        return one.layout() instanceof RouteLayout.SplitClusters test
                ? other.layout() instanceof RouteLayout.SplitClusters next && next.sameTest(test)
                : one.layout().equals(other.layout());
    }

    private void replace(String group, List<Replacement> replacements) {
        ProxyGroupResources old = groups.computeIfAbsent(group, first -> ProxyGroupResources.NOTHING);
        ProxyGroupResources next = old.replacing(replacements);
        groups.put(group, next);
        if (next != old) {
            touched.add(group);
        }
    }

    @Override
    public synchronized void withdraw(Service service) {
        Applied last = services.remove(service.name());
        if (last != null) {
            byCluster.values().removeIf(service.name()::equals);
            replace(service.proxies(), List.of(new Replacement(last.resources(), ServiceResources.NONE)));
            streams.dismissAll(service.proxies(), service.name());
            streams.put(service.proxies(), service.name(), Optional.empty());
        }
    }

    @Override
    public synchronized void suspend(Set<String> names) {
        suspended = new HashSet<>(names);
        suspended.removeAll(served);
        streams.suspend(suspended);
        groups.forEach((group, resources) -> {
            if (!served.contains(group) && resources != ProxyGroupResources.NOTHING) {
                touched.add(group);
            }
        });
    }

    @Override
    public void admit(StreamId stream, String service) {
        streams.admit(stream.number(), service);
    }

    @Override
    public synchronized void send() {
        // Shares go first: the clusters of a share that ends may be removed in the same turn.
        streams.sendShares();
        Set<String> ready = new HashSet<>(touched);
        ready.removeAll(suspended);
        ready.forEach(group -> streams.publish(group, groups.getOrDefault(group, ProxyGroupResources.NOTHING)));
        touched.removeAll(ready);
        served.addAll(groups.keySet());
        served.removeAll(suspended);
    }

    /** Returns the service whose cluster has this name in the proxies' statistics, or empty when it is no service's. */
    synchronized Optional<String> serviceOf(String cluster) {
        int slash = cluster.indexOf('/');
        return Optional.ofNullable(byCluster.get(slash < 0 ? cluster : cluster.substring(0, slash)));
    }

    XdsStreams streams() {
        return streams;
    }
}
