// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.IntegrationLevel;
import io.redliner.redirector.routing.IntegrationLevel.Capabilities;
import io.redliner.redirector.routing.IntegrationLevel.Capabilities.DeadMansSwitch;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of a service's Envoy configuration that comes from here. */
public sealed interface EnvoyIntegration extends IntegrationLevel {

    /**
     * Listeners, routes, clusters, endpoints and shares.
     *
     * @param listen where the proxies take the service's traffic
     */
    record Everything(HostPort listen) implements EnvoyIntegration {

        @Override
        public Optional<HostPort> listenAddress() {
            return Optional.of(listen);
        }
    }

    /** Routes, clusters, endpoints and shares. The owner's listeners name the service's route configuration. */
    record RoutesAndEndpoints() implements EnvoyIntegration {}

    /** Shares as weights in a route that its owner wrote. */
    sealed interface OnOwnersRoute extends EnvoyIntegration {

        /** Returns the cluster that holds the instance under test alone. */
        String sutCluster();

        /** Returns the cluster that holds all other instances. */
        String peersCluster();

        /** Returns the route. */
        WeightedRoute route();

        /** Returns the runtime keys that are set, and the clusters whose endpoints come from here. */
        @Override
        default Set<String> claims(String service) {
            Stream<String> keys = route().tested().stream().map(cluster -> "the runtime key '" + route().key(cluster)
                    + "'");
            Stream<String> clusters = laidOut()
                    ? Stream.of(sutCluster(), peersCluster()).map(EnvoyIntegration::cluster)
                    : Stream.of();
            return Stream.concat(keys, clusters).collect(Collectors.toSet());
        }
    }

    /**
     * Endpoints of two clusters, and shares. The clusters are the owner's, weigh nothing in the owner's route, and have the type
     * {@code EDS}; while a share is in force they have the weight of the cluster of the whole fleet.
     *
     * @param keyPrefix the route's {@code runtime_key_prefix}
     * @param cluster the owner's cluster of the whole fleet, from wherever its endpoints come
     * @param weights of all clusters of the route, as the route has them, 0 to 1 000 000 each; empty: those three are all
     * @param selection how the owner's route chooses a cluster
     */
    record EndpointsOnly(String keyPrefix, String cluster, String sutCluster, String peersCluster,
            Map<String, Integer> weights, RedirectMode selection) implements OnOwnersRoute {

        public EndpointsOnly {
            weights = Map.copyOf(weights);
            var unused = WeightedRoute.of(keyPrefix, List.of(cluster, sutCluster, peersCluster), List.of(cluster),
                    weights, selection);
        }

        @Override
        public WeightedRoute route() {
            return new WeightedRoute(keyPrefix, Set.of(cluster, sutCluster, peersCluster), weights, selection);
        }

        @Override
        public Capabilities capabilities() {
            return new Capabilities(Set.of(selection), false, Optional.empty(), DeadMansSwitch.PROXY);
        }

        @Override
        public Optional<OwnersRoute> ownersRoute() {
            return Optional.of(new OwnersRoute(route().elsewhere(), OptionalDouble.empty()));
        }
    }

    /**
     * Shares only: weights of two clusters in a weighted route of the owner's. Further clusters of that route take no part in a
     * test, and keep their proportion of all its requests.
     *
     * @param keyPrefix the route's {@code runtime_key_prefix}
     * @param sut the one instance that can be tested
     * @param weights of all clusters of the route, as the route has them, 0 to 1 000 000 each; empty: those two are all, and
     *        weighted as their instances are
     * @param selection how the owner's route chooses a cluster
     */
    record RuntimeOnly(String keyPrefix, HostPort sut, String sutCluster, String peersCluster,
            Map<String, Integer> weights, RedirectMode selection) implements OnOwnersRoute {

        public RuntimeOnly {
            weights = Map.copyOf(weights);
            List<String> clusters = List.of(sutCluster, peersCluster);
            var unused = WeightedRoute.of(keyPrefix, clusters, clusters, weights, selection);
        }

        @Override
        public WeightedRoute route() {
            return new WeightedRoute(keyPrefix, Set.of(sutCluster, peersCluster), weights, selection);
        }

        @Override
        public Capabilities capabilities() {
            return new Capabilities(Set.of(selection), false, Optional.of(sut), DeadMansSwitch.PROXY);
        }

        @Override
        public Optional<OwnersRoute> ownersRoute() {
            return Optional.of(new OwnersRoute(route().elsewhere(), weights.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(route().part(sutCluster))));
        }

        @Override
        public boolean laidOut() {
            return false;
        }
    }

    @Override
    default Set<String> claims(String service) {
        return Set.of(cluster(service));
    }

    private static String cluster(String name) {
        return "the cluster '" + name + "'";
    }

    /** Returns all capabilities, for services whose routes come from here. The runtime keys have a time to live. */
    @Override
    default Capabilities capabilities() {
        return new Capabilities(EnumSet.allOf(RedirectMode.class), true, Optional.empty(), DeadMansSwitch.PROXY);
    }
}
