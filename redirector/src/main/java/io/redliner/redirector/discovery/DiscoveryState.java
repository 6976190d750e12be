// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The definitions and the instances that are known at one moment. Each change yields another state:
 *
 * <pre>
 *            found(some)             failed, found(none)
 *  Unknown --------------> Known &lt;--------------------------> Stale
 *     |                              found(some)
 *     +-- failed: the reason changes, the fleet stays unknown
 * </pre>
 *
 * A service that is defined anew with another source keeps the fleet it had, stale, until the new source answers; one
 * that is taken out is forgotten.
 *
 * @param fleets by service, one for each that is defined
 * @param fault why the newest definitions cannot be used, or empty when they are the ones here
 */
record DiscoveryState(ServiceDefinitions definitions, Map<String, EndpointState> fleets, Optional<String> fault) {

    /** The key of a fault of the definitions in {@link #problems()}. It has a space, which no service's name has. */
    static final String DEFINITIONS = "services file";

    // Any order will do, as long as every redirector has the same one.
    private static final Comparator<Instance> ORDER = Comparator.comparing(Instance::address,
            Comparator.comparing(HostPort::host).thenComparingInt(HostPort::port));

    DiscoveryState {
        fleets = Map.copyOf(fleets);
    }

    /** The state before any source has answered. */
    static DiscoveryState of(ServiceDefinitions definitions) {
        return new DiscoveryState(new ServiceDefinitions(List.of()), Map.of(), Optional.empty()).defined(definitions);
    }

    /** Returns the state with these definitions. */
    DiscoveryState defined(ServiceDefinitions now) {
        Map<String, ServiceDefinition> before = definitions.byName();
        Map<String, EndpointState> kept = new HashMap<>();
        for (ServiceDefinition definition : now.services()) {
            String name = definition.name();
            EndpointState had = Objects.requireNonNullElse(fleets.get(name), new EndpointState.Unknown(""));
            ServiceDefinition old = before.get(name);
            kept.put(name, switch (definition.source()) {
                case EndpointSource.Listed listed -> new EndpointState.Known(listed.instances());
                case EndpointSource.Dns dns -> carriedOver(old, dns, had);
                case EndpointSource.Kubernetes kubernetes -> carriedOver(old, kubernetes, had);
            });
        }
        return new DiscoveryState(now, kept, Optional.empty());
    }

    private static EndpointState carriedOver(@Nullable ServiceDefinition old, EndpointSource source,
            EndpointState before) {
        return old != null && old.source().equals(source) ? before : before.without("its source has not answered yet");
    }

    /** Returns the state after definitions that cannot be used: the ones before stay in use. */
    DiscoveryState withRejectedDefinitions(String reason) {
        return new DiscoveryState(definitions, fleets, Optional.of(reason));
    }

    /** Returns the state after the source named these instances. An empty answer counts as a failure. */
    DiscoveryState found(String service, EndpointSource source, Collection<Instance> instances) {
        return instances.isEmpty()
                ? failed(service, source, "its source names no instance")
                : changed(service, source,
                        new EndpointState.Known(instances.stream().distinct().sorted(ORDER).toList()));
    }

    /** Returns the state after the source failed. */
    DiscoveryState failed(String service, EndpointSource source, String reason) {
        EndpointState before = fleets.get(service);
        return before == null ? this : changed(service, source, before.without(reason));
    }

    private DiscoveryState changed(String service, EndpointSource source, EndpointState fleet) {
        if (fleet.equals(fleets.get(service))) {
            return this;
        }
        // An answer of a source that the definitions do not name any more is ignored.
        if (definitions.services().stream().noneMatch(definition -> definition.name().equals(service)
                && definition.source().equals(source))) {
            return this;
        }
        Map<String, EndpointState> others = new HashMap<>(fleets);
        others.put(service, fleet);
        return new DiscoveryState(definitions, others, fault);
    }

    /** Returns the services whose instances are known, and the proxy groups that get nothing yet. */
    RoutedServices routedServices() {
        List<Service> known = new ArrayList<>();
        Set<String> suspended = new HashSet<>();
        for (ServiceDefinition definition : definitions.services()) {
            fleet(definition).lastKnown().ifPresentOrElse(instances -> known.add(definition.with(instances)),
                    () -> suspended.add(definition.proxies()));
        }
        return RoutedServices.of(known, suspended);
    }

    /** Returns the reason of each problem, by service name or {@link #DEFINITIONS}. */
    Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>();
        fault.ifPresent(reason -> problems.put(DEFINITIONS, reason + "; the services stay as they were"));
        for (ServiceDefinition definition : definitions.services()) {
            switch (fleet(definition)) {
                case EndpointState.Unknown unknown -> problems.put(definition.name(), unknown.reason()
                        + "; its instances were never known, so the proxies '" + definition.proxies()
                        + "' get nothing");
                case EndpointState.Stale stale -> problems.put(definition.name(), stale.reason() + "; its last known "
                        + stale.instances().size() + " instances stay");
                case EndpointState.Known known -> {
                }
            }
        }
        return problems;
    }

    private EndpointState fleet(ServiceDefinition definition) {
        return Objects.requireNonNull(fleets.get(definition.name()), definition.name());
    }

    /** The knowledge of the instances of a service. An unknown fleet is not an empty one. */
    sealed interface EndpointState {

        /** The source has never named an instance. */
        record Unknown(String reason) implements EndpointState {}

        /** The last answer of the source. */
        record Known(List<Instance> instances) implements EndpointState {

            public Known {
                instances = List.copyOf(instances);
            }
        }

        /** The last usable answer, of a source that has failed since. */
        record Stale(List<Instance> instances, String reason) implements EndpointState {

            public Stale {
                instances = List.copyOf(instances);
            }
        }

        /** Returns the last known instances, or empty when none were ever known. */
        default Optional<List<Instance>> lastKnown() {
            return switch (this) {
                case Unknown unknown -> Optional.empty();
                case Known known -> Optional.of(known.instances());
                case Stale stale -> Optional.of(stale.instances());
            };
        }

        /** Returns the state after the source failed for this reason. */
        default EndpointState without(String reason) {
            return lastKnown().<EndpointState>map(instances -> new Stale(instances, reason))
                    .orElse(new Unknown(reason));
        }
    }
}
