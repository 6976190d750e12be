// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** How much of a service's proxy configuration comes from here. */
public sealed interface IntegrationLevel {

    /**
     * Listeners, routes, clusters, endpoints and shares.
     *
     * @param listen where the proxies take the service's traffic
     */
    record Everything(HostPort listen) implements IntegrationLevel {}

    /** Routes, clusters, endpoints and shares; listeners of the owner's name the service's route configuration. */
    record RoutesAndEndpoints() implements IntegrationLevel {}

    /**
     * Shares only: weights of two clusters in a weighted route of the owner's, through its {@code runtime_key_prefix}. Further
     * clusters of that route are no part of a test, and keep their proportion of all its requests.
     *
     * @param keyPrefix the route's {@code runtime_key_prefix}
     * @param sut the one instance that can be tested
     * @param sutCluster the owner's cluster of just that instance
     * @param peersCluster the owner's cluster of all others
     * @param weights of all clusters of the route, as the route has them, 0 to 1 000 000 each; empty: those two are all, and
     *        weighted as their instances are
     * @param selection how the owner's route chooses a cluster
     */
    record RuntimeOnly(String keyPrefix, HostPort sut, String sutCluster, String peersCluster,
            Map<String, Integer> weights, Selection selection) implements IntegrationLevel {

        /** The largest weight of a cluster, and how many times the two of the test the others may weigh. */
        private static final int MAX_WEIGHT = 1_000_000;

        private static final int MAX_OTHERS = 1_000;

        private static final Pattern KEY = Pattern.compile("\\S{1,200}");

        public RuntimeOnly {
            weights = Map.copyOf(weights);
            checkKey(keyPrefix);
            checkKey(sutCluster);
            checkKey(peersCluster);
            weights.keySet().forEach(RuntimeOnly::checkKey);
            if (sutCluster.equals(peersCluster)) {
                throw new IllegalArgumentException(
                        "the SUT and its peers need two clusters, not one '" + sutCluster + "'");
            }
            if (!weights.isEmpty()) {
                checkWeights(weights, sutCluster, peersCluster);
                if (selection != Selection.SPLIT && weights.size() > 2) {
                    throw new IllegalArgumentException(
                            "a route that chooses by users ('selection') can have no clusters but "
                                    + "'" + sutCluster + "' and '" + peersCluster
                                    + "': with other weights other users would come to the rest");
                }
            }
        }

        private static void checkKey(String text) {
            if (!KEY.matcher(text).matches()) {
                throw new IllegalArgumentException("'" + text
                        + "' cannot be part of a runtime key: 1 to 200 characters without white space");
            }
        }

        private static void checkWeights(Map<String, Integer> weights, String sutCluster, String peersCluster) {
            for (String tested : List.of(sutCluster, peersCluster)) {
                if (!weights.containsKey(tested)) {
                    throw new IllegalArgumentException("'weights' lacks the cluster '" + tested
                            + "': write the weights of all clusters of the route, as the route has them");
                }
            }
            weights.forEach((cluster, weight) -> {
                if (weight < 0 || weight > MAX_WEIGHT) {
                    throw new IllegalArgumentException(
                            "weight " + weight + " of cluster '" + cluster + "' is outside 0 to " + MAX_WEIGHT);
                }
            });
            long tested = (long) weights.getOrDefault(sutCluster, 0) + weights.getOrDefault(peersCluster, 0);
            long others = weights.values().stream().mapToLong(Integer::longValue).sum() - tested;
            if (tested == 0 || others > MAX_OTHERS * tested) {
                throw new IllegalArgumentException("'" + sutCluster + "' and '" + peersCluster
                        + "' need more of the route's weight than " + tested + " of " + (tested + others));
            }
        }

        /** Of all requests of the route, the part that goes to clusters that are no part of a test, 0 to 1. */
        public double elsewhere() {
            double all = weights.values().stream().mapToDouble(Integer::doubleValue).sum();
            return all == 0 ? 0 : 1 - tested() / all;
        }

        /** Of what the two clusters of the test get, the SUT's part, 0 to 1; absent when the weights of the instances say it. */
        public OptionalDouble natural() {
            return weights.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(weights.getOrDefault(sutCluster, 0) / tested());
        }

        /**
         * The weights of the clusters that are no part of a test.
         *
         * @param whole what the two of the test weigh together
         * @return with which they keep their proportion of all requests, by cluster
         */
        public Map<String, Integer> others(int whole) {
            Map<String, Integer> others = new TreeMap<>(weights);
            others.keySet().removeAll(List.of(sutCluster, peersCluster));
            others.replaceAll((cluster, weight) -> Math.toIntExact(Math.round(whole * (weight / tested()))));
            return others;
        }

        private double tested() {
            return (double) weights.getOrDefault(sutCluster, 0) + weights.getOrDefault(peersCluster, 0);
        }
    }

    /** How a route of the owner's chooses a cluster. */
    enum Selection {
        /** At random, request by request. */
        SPLIT,
        /** By the integer in {@code header_name}. */
        MODULO,
        /** By {@code use_hash_policy}. */
        HASH
    }
}
