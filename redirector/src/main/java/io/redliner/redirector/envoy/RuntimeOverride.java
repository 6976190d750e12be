// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.contract.redirect.Share;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.lease.ActiveLease;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.WeightCalculator;
import io.redliner.redirector.routing.WeightCalculator.Group;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runtime keys of one service while a lease is in force on it or its requests are logged.
 *
 * @param weights by runtime key; none when the share is natural
 * @param logged the runtime keys that turn on an owner's access logs; none for services whose routes come from here
 * @param sut the instance under test of a service whose tests all use the same clusters, so that the cluster names do not show
 *        it; empty for other services
 * @param leased whether a lease is in force; the requests are logged for some time after it
 * @param expiry when the proxies must drop the keys by themselves: at the end of the lease's time to live ({@code leaseTtl}), or of
 *        the logging after it
 */
record RuntimeOverride(SortedMap<String, Integer> weights, SortedMap<String, Integer> logged, String sut,
        boolean leased, Instant expiry) {

    /** The version of a lease on the natural share of an owner's route. Unlike without a lease, requests are logged. */
    private static final String LOGGED = "logged";

    /** Logs all requests, in percent. */
    private static final int ALL = 100;

    /** Returns the runtime keys of the routing; empty when it needs none. */
    static Optional<RuntimeOverride> of(DesiredRouting desired) {
        Service service = desired.service();
        if (service.integration() instanceof EnvoyIntegration.OnOwnersRoute owners) {
            return desired.loggedUntil().map(until -> new RuntimeOverride(
                    desired.lease().filter(lease -> !natural(desired, owners, lease))
                            .map(lease -> ownersWeights(owners, lease)).orElseGet(TreeMap::new),
                    new TreeMap<>(Map.of(ResourceNames.accessLogKey(service), ALL)),
                    desired.layout() instanceof RouteLayout.SplitClusters test ? test.sut().toString() : "",
                    desired.lease().isPresent(), until));
        }
        return desired.lease().flatMap(lease -> desired.layout() instanceof RouteLayout.SplitClusters test
                ? Optional.of(new RuntimeOverride(weights(service, test, lease.share()), new TreeMap<>(), "", true,
                        lease.expiry()))
                : Optional.empty());
    }

    /** Returns whether all tests of the service use the same clusters. */
    boolean sharesClusters() {
        return !sut.isEmpty();
    }

    /** Returns whether the traffic stays natural. */
    boolean natural() {
        return weights.isEmpty();
    }

    /**
     * Returns whether a lease requests the natural share of an owner's route. Such a lease sets no weights, because the route
     * itself has them.
     */
    private static boolean natural(DesiredRouting desired, EnvoyIntegration.OnOwnersRoute owners, ActiveLease lease) {
        Service service = desired.service();
        Optional<HostPort> sut = desired.layout() instanceof RouteLayout.SplitClusters test
                ? Optional.of(test.sut())
                : owners.capabilities().onlySut();
        return sut.flatMap(address -> service.instance(address.toString()))
                .filter(instance -> lease.redirect().attainable(service.naturalShare(instance)).equals(lease.share()))
                .isPresent();
    }

    /** Returns whether this has the same keys as the one before, and no earlier expiry. */
    boolean renews(@Nullable RuntimeOverride before) {
        return before != null && version().equals(before.version()) && logged.equals(before.logged)
                && !expiry.isBefore(before.expiry);
    }

    private static SortedMap<String, Integer> ownersWeights(EnvoyIntegration.OnOwnersRoute owners, ActiveLease lease) {
        int whole = lease.redirect().parts();
        int sut = lease.redirect().parts(lease.share());
        SortedMap<String, Integer> weights = new TreeMap<>();
        WeightedRoute route = owners.route();
        route.tested().forEach(cluster -> weights.put(route.key(cluster), 0));
        weights.put(route.key(owners.sutCluster()), sut);
        weights.put(route.key(owners.peersCluster()), whole - sut);
        route.others(whole).forEach((cluster, weight) -> weights.put(route.key(cluster), weight));
        return weights;
    }

    private static SortedMap<String, Integer> weights(Service service, RouteLayout.SplitClusters test, Share share) {
        SortedMap<String, Integer> weights = new TreeMap<>();
        WeightCalculator.weights(test, share).forEach((group, weight) -> weights.put(
                ResourceNames.runtimeKeyPrefix(service) + "." + ResourceNames.cluster(service, test, group), weight));
        if (test.redirect().partial()) {
            String outside = ResourceNames.outsideKeyPrefix(service) + ".";
            weights.put(outside + ResourceNames.cluster(service, test, Group.FLEET), 0);
            weights.put(outside + ResourceNames.cluster(service, test, Group.PEERS), 1);
        }
        return weights;
    }

    /** Returns the version of the share. Renewals do not change it. */
    String version() {
        if (natural()) {
            return leased ? LOGGED : ResourceKey.NATURAL_SHARE;
        }
        return ContentHash.of(weights + sut);
    }

    /**
     * Returns the version of a layer with the shares of several services: {@code name=version,...}. From it a redirector learns
     * which shares a proxy has that was connected to another redirector.
     */
    static String version(Map<String, RuntimeOverride> shares) {
        String moved = new TreeMap<>(shares).entrySet().stream().filter(entry -> !entry.getValue().natural())
                .map(entry -> entry.getKey() + "=" + entry.getValue().version())
                .collect(Collectors.joining(","));
        return moved.isEmpty() ? ResourceKey.NATURAL_SHARE : moved;
    }

    /** Returns the versions of the shares in the version of a layer, by service. Parts that cannot be read are skipped. */
    static Map<String, String> versions(String version) {
        Map<String, String> versions = new TreeMap<>();
        for (String part : version.split(",", -1)) {
            int sign = part.indexOf('=');
            if (sign > 0) {
                versions.put(part.substring(0, sign), part.substring(sign + 1));
            }
        }
        return versions;
    }
}
