// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.contract.redirect.RedirectMode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A route with weighted clusters that its owner wrote.
 *
 * @param keyPrefix its {@code runtime_key_prefix}
 * @param tested its clusters that take part in tests; the others keep their proportion of all its requests
 * @param weights of all its clusters, as it has them, 0 to 1 000 000 each; empty: those of the test are all
 * @param mode how it chooses a cluster: at random, by {@code header_name}, or by {@code use_hash_policy}
 */
public record WeightedRoute(String keyPrefix, Set<String> tested, Map<String, Integer> weights, RedirectMode mode) {

    /** The largest weight of a cluster. */
    private static final int MAX_WEIGHT = 1_000_000;

    /** The other clusters of the route weigh at most this many times the weight of the tested ones. */
    private static final int MAX_OTHERS = 1_000;

    private static final Pattern KEY = Pattern.compile("\\S{1,200}");

    /**
     * Checks a route.
     *
     * @param clusters of the test, which have to be different
     * @param natural those of them that get requests without a test
     */
    static WeightedRoute of(String keyPrefix, List<String> clusters, List<String> natural,
            Map<String, Integer> weights, RedirectMode mode) {
        checkKey(keyPrefix);
        clusters.forEach(WeightedRoute::checkKey);
        weights.keySet().forEach(WeightedRoute::checkKey);
        Set<String> tested = Set.copyOf(clusters);
        if (tested.size() < clusters.size()) {
            throw new IllegalArgumentException(
                    "the SUT and its peers need clusters of their own, and these are " + clusters);
        }
        WeightedRoute route = new WeightedRoute(keyPrefix, tested, Map.copyOf(weights), mode);
        if (!weights.isEmpty()) {
            route.checkWeights(natural);
        }
        return route;
    }

    private static void checkKey(String text) {
        if (!KEY.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' cannot be part of a runtime key: 1 to 200 characters without white space");
        }
    }

    private void checkWeights(List<String> natural) {
        for (String cluster : natural) {
            if (!weights.containsKey(cluster)) {
                throw new IllegalArgumentException("'weights' lacks the cluster '" + cluster
                        + "': write the weights of all clusters of the route, as the route has them");
            }
        }
        weights.forEach((cluster, weight) -> {
            if (weight < 0 || weight > MAX_WEIGHT) {
                throw new IllegalArgumentException(
                        "weight " + weight + " of cluster '" + cluster + "' is outside 0 to " + MAX_WEIGHT);
            }
            if (weight > 0 && tested.contains(cluster) && !natural.contains(cluster)) {
                throw new IllegalArgumentException("cluster '" + cluster
                        + "' is for tests: its weight in the route has to be 0, not " + weight);
            }
        });
        long others = Math.round(total() - ofTest());
        if (ofTest() == 0 || others > MAX_OTHERS * ofTest()) {
            throw new IllegalArgumentException(natural + " need more of the route's weight than "
                    + Math.round(ofTest()) + " of " + Math.round(total()));
        }
        if (mode.sticky() && !tested.containsAll(weights.keySet())) {
            throw new IllegalArgumentException("a route that chooses by users ('selection') can have no clusters but "
                    + tested.stream().sorted().toList() + ": with other weights other users would come to the rest");
        }
    }

    private double total() {
        return weights.values().stream().mapToDouble(Integer::doubleValue).sum();
    }

    private double ofTest() {
        return tested.stream().mapToDouble(cluster -> weights.getOrDefault(cluster, 0)).sum();
    }

    /** Returns the part of all requests that goes to clusters which take no part in tests, 0 to 1. */
    double elsewhere() {
        return weights.isEmpty() ? 0 : 1 - ofTest() / total();
    }

    /** Returns the part of this cluster in the requests of the tested clusters, 0 to 1. */
    double part(String cluster) {
        return weights.getOrDefault(cluster, 0) / ofTest();
    }

    /**
     * Returns the weights, by cluster, with which the clusters that take no part in a test keep their proportion of all requests.
     *
     * @param whole the sum of the weights of the tested clusters
     */
    Map<String, Integer> others(int whole) {
        Map<String, Integer> others = new TreeMap<>(weights);
        others.keySet().removeAll(tested);
        others.replaceAll((cluster, weight) -> Math.toIntExact(Math.round(whole * (weight / ofTest()))));
        return others;
    }

    String key(String cluster) {
        return keyPrefix + "." + cluster;
    }
}
