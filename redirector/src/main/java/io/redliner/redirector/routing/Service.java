// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.contract.redirect.Share;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A fleet of instances behind one route.
 *
 * @param name letters, digits, {@code - _ .}; at most 100 characters
 * @param proxies the group of proxies that carry it: the {@code cluster} of their node
 * @param instances may be fewer than two for a while when they are discovered; such a service cannot be tested
 */
public record Service(String name, String proxies, IntegrationLevel integration, Upstream upstream,
        List<Instance> instances) {

    /** The group of the proxies of services that name no group. */
    public static final String DEFAULT_PROXIES = "redliner";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /** The longest label of a host name. */
    private static final int MAX_LABEL = 63;

    private static final Pattern OUTER_HYPHENS = Pattern.compile("^-+|-+$");

    public Service {
        checkName(name);
        if (proxies.isBlank()) {
            throw new IllegalArgumentException("service " + name + " names no group of proxies");
        }
        instances = List.copyOf(instances);
        Set<HostPort> distinct = new HashSet<>();
        for (Instance instance : instances) {
            if (!distinct.add(instance.address())) {
                throw new IllegalArgumentException("service " + name + ": instance " + instance.address()
                        + " is listed twice");
            }
        }
    }

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException when this cannot be a service's name
     */
    public static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name
                    + "' is not a service name: letters, digits and - _ . only, at most 100 characters");
        }
    }

    /**
     * Returns the service's name, changed into a valid host name (RFC 1123) where it is none. Proxies send it as the host of health
     * checks. Strict servers answer 400 to other names, such as one with an underscore.
     */
    public String hostName() {
        return Arrays.stream(name.replace('_', '-').split("\\."))
                .map(label -> label.substring(0, Math.min(label.length(), MAX_LABEL)))
                .map(label -> OUTER_HYPHENS.matcher(label).replaceAll(""))
                .filter(label -> !label.isEmpty())
                .collect(Collectors.joining("."));
    }

    /** Returns the same service with another fleet. */
    public Service with(List<Instance> fleet) {
        return new Service(name, proxies, integration, upstream, fleet);
    }

    /**
     * Returns the natural share of an instance, which it gets while no test is running: its part of the weights, rounded to the
     * nearest ppm. For an owner's route with listed weights, those count.
     */
    public Share naturalShare(Instance instance) {
        double part = (double) instance.weight() / totalWeight();
        OptionalDouble sutsPart = integration.ownersRoute().map(IntegrationLevel.OwnersRoute::sut)
                .orElse(OptionalDouble.empty());
        Optional<HostPort> sut = integration.capabilities().onlySut();
        if (sutsPart.isPresent() && sut.isPresent()) {
            int sutWeight = instance(sut.get().toString()).map(Instance::weight).orElse(0);
            part = instance.address().equals(sut.get())
                    ? sutsPart.getAsDouble()
                    : (1 - sutsPart.getAsDouble()) * instance.weight() / (totalWeight() - sutWeight);
        }
        return Share.ofRatio(part);
    }

    /** Returns the instance with this {@code host:port}, or empty when it is not in the fleet. */
    public Optional<Instance> instance(String address) {
        return instances.stream().filter(instance -> instance.address().toString().equals(address)).findFirst();
    }

    /** Returns all instances but this one. */
    public List<Instance> peersOf(Instance sut) {
        return instances.stream().filter(instance -> !instance.address().equals(sut.address())).toList();
    }

    /** Returns the sum of all instances' weights. */
    public int totalWeight() {
        return instances.stream().mapToInt(Instance::weight).sum();
    }
}
