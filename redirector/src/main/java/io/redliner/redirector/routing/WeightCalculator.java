// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.Share;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Calculates the weights of clusters and endpoints. All functions are pure. */
public final class WeightCalculator {

    /** A group of instances that a route can send to. The order is that of a route's clusters. */
    public enum Group {
        /** All instances with natural weights. */
        FLEET,
        /** All instances with the weights of a lease. */
        WEIGHTED,
        /** The SUT, for users from the end of the circle on. */
        SUT_WRAPPED,
        /** The SUT's peers, for users before the SUT's. */
        PEERS_BEFORE,
        /** The SUT alone. */
        SUT,
        /** All but the SUT. */
        PEERS
    }

    /** One endpoint with its weight in a cluster, above zero. */
    public record Endpoint(Instance instance, int weight) {}

    private WeightCalculator() {}

    /** Returns the groups that requests of a lease may go to, the fleet included. */
    public static List<Group> groups(Redirect redirect) {
        return switch (redirect.mode()) {
            case SPLIT -> List.of(Group.FLEET, Group.SUT, Group.PEERS);
            case ENDPOINT_WEIGHT -> List.of(Group.FLEET, Group.WEIGHTED);
            case MODULO, HASH ->
                List.of(Group.FLEET, Group.SUT_WRAPPED, Group.PEERS_BEFORE, Group.SUT, Group.PEERS);
        };
    }

    /**
     * Returns the weights of a route's clusters while a share is in force. For sticky modes the users lie on a circle, ordered by
     * their attribute. The SUT's users are an arc that begins at the rotation and grows only at its end. So no user leaves the SUT
     * while the share grows, and over many runs every user is chosen equally often.
     */
    public static Map<Group, Integer> weights(RouteLayout.SplitClusters layout, Share share) {
        Map<Group, Integer> weights = new EnumMap<>(Group.class);
        weights.put(Group.FLEET, 0);
        Redirect redirect = layout.redirect();
        if (redirect.mode() == RedirectMode.ENDPOINT_WEIGHT) {
            weights.put(Group.WEIGHTED, 1);
            return weights;
        }
        int whole = redirect.parts();
        int arc = redirect.parts(share);
        if (!redirect.mode().sticky()) {
            weights.put(Group.SUT, arc);
            weights.put(Group.PEERS, whole - arc);
            return weights;
        }
        int begin = (int) ((long) layout.rotation() * whole / Share.WHOLE_PPM);
        int wrapped = Math.max(0, begin + arc - whole);
        weights.put(Group.SUT_WRAPPED, wrapped);
        weights.put(Group.PEERS_BEFORE, begin - wrapped);
        weights.put(Group.SUT, arc - wrapped);
        weights.put(Group.PEERS, whole - begin - (arc - wrapped));
        return weights;
    }

    /** Returns the instances of a group with their weights. An instance without traffic is left out. */
    public static List<Endpoint> endpoints(Service service, RouteLayout.SplitClusters layout, Group group) {
        return switch (group) {
            case FLEET -> natural(service.instances());
            case SUT, SUT_WRAPPED -> natural(service.instances().stream()
                    .filter(instance -> instance.address().equals(layout.sut())).toList());
            case PEERS, PEERS_BEFORE -> natural(service.instances().stream()
                    .filter(instance -> !instance.address().equals(layout.sut())).toList());
            case WEIGHTED -> weighted(service, layout);
        };
    }

    /** Returns all instances with their natural weights. */
    public static List<Endpoint> natural(List<Instance> instances) {
        return instances.stream().map(instance -> new Endpoint(instance, instance.weight())).toList();
    }

    /** Weights in ppm. The peers keep their proportions to each other. */
    private static List<Endpoint> weighted(Service service, RouteLayout.SplitClusters layout) {
        long peers = service.instances().stream().filter(instance -> !instance.address().equals(layout.sut()))
                .mapToLong(Instance::weight).sum();
        List<Endpoint> endpoints = new ArrayList<>();
        for (Instance instance : service.instances()) {
            long weight = instance.address().equals(layout.sut())
                    ? layout.pointed().ppm()
                    : Math.round((double) layout.pointed().rest().ppm() * instance.weight() / peers);
            if (weight > 0) {
                endpoints.add(new Endpoint(instance, Math.toIntExact(weight)));
            }
        }
        return endpoints;
    }
}
