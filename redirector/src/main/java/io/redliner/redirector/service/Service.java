// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.service;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A fleet of at least two instances behind one route.
 *
 * @param name letters, digits, {@code - _ .}; at most 100 characters
 * @param listen where the proxies take its traffic
 * @param timeout after which a proxy gives up waiting for an instance, above zero
 */
public record Service(String name, Address listen, Duration timeout, List<Instance> instances) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public Service {
        checkName(name);
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("service " + name + ": timeout must be above zero");
        }
        instances = List.copyOf(instances);
        if (instances.size() < 2) {
            throw new IllegalArgumentException("service " + name
                    + " needs at least two instances: one is tested, the others take the rest of the traffic");
        }
        Set<Address> seen = new HashSet<>();
        for (Instance instance : instances) {
            if (!seen.add(instance.address())) {
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

    /** The instance with this {@code host:port}, or empty when it is not in the fleet. */
    public Optional<Instance> instance(String address) {
        return instances.stream().filter(instance -> instance.address().toString().equals(address)).findFirst();
    }

    /** All instances but this one. */
    public List<Instance> peersOf(Instance sut) {
        return instances.stream().filter(instance -> !instance.equals(sut)).toList();
    }

    /** The sum of all instances' weights. */
    public int totalWeight() {
        return instances.stream().mapToInt(Instance::weight).sum();
    }
}
