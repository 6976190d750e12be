// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.core.sizing.FleetInstance;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.StoredCapacity;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Combines the facts about fleets: instances from the redirectors; facts, capacities and peaks from the store. */
final class FleetService {

    /** Instances that were ever tested. */
    private static final int MAX_INSTANCES = 10_000;

    private final ServiceCatalog catalog;

    private final CapacityRepository capacities;

    private final InstanceFactsRepository facts;

    private final PeakTrafficRepository peaks;

    private final CapacityProperties properties;

    private final InstantSource clock;

    FleetService(ServiceCatalog catalog, CapacityRepository capacities, InstanceFactsRepository facts,
            PeakTrafficRepository peaks, CapacityProperties properties, InstantSource clock) {
        this.catalog = catalog;
        this.capacities = capacities;
        this.facts = facts;
        this.peaks = peaks;
        this.properties = properties;
        this.clock = clock;
    }

    /**
     * A service's fleet.
     *
     * @param reported whether a redirector reports it at present
     * @param bases the capacities that its instances are counted with, and those of its other classes
     */
    record Fleet(String service, boolean reported, List<FleetInstance> instances, List<CapacityBasis> bases,
            PeakTrafficRepository.@Nullable Peak peak) {}

    /** Returns the capacities of a service's instances. */
    InstanceCapacities strengths(String service) {
        return new InstanceCapacities(capacities.newest(service, "", MAX_INSTANCES));
    }

    CapacityBasis basis(StoredCapacity stored) {
        return CapacityBasis.of(stored, clock.instant(), properties.staleAfter());
    }

    /** Returns true when a peak is too old to be relied on. */
    boolean stale(PeakTrafficRepository.Peak peak) {
        return clock.instant().isAfter(peak.at().plus(properties.staleAfter()));
    }

    /** Returns the fleet of a service that anything is known of. */
    Optional<Fleet> find(String service) {
        Optional<KnownService> known = catalog.find(service);
        List<StoredCapacity> found = capacities.newest(service, "", MAX_INSTANCES);
        if (known.isEmpty() && found.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(fleet(service, known.orElse(null), found, facts.of(service),
                peaks.highest(service, since()).orElse(null)));
    }

    /** Returns all fleets by service. */
    List<Fleet> all() {
        Map<String, KnownService> known = new TreeMap<>();
        catalog.services().forEach(service -> known.put(service.name(), service));
        Map<String, List<StoredCapacity>> found = capacities.newest(CapacityRepository.Place.START, MAX_INSTANCES)
                .stream()
                .collect(Collectors.groupingBy(one -> one.record().service(), TreeMap::new, Collectors.toList()));
        Map<String, List<InstanceFactsRepository.Known>> knownFacts = facts.all()
                .stream()
                .collect(Collectors.groupingBy(InstanceFactsRepository.Known::service));
        Map<String, PeakTrafficRepository.Peak> highest = peaks.highest(since())
                .stream()
                .collect(Collectors.toMap(PeakTrafficRepository.Peak::service, Function.identity()));
        return Stream.concat(known.keySet().stream(), found.keySet().stream())
                .distinct()
                .sorted()
                .map(name -> fleet(name, known.get(name), found.getOrDefault(name, List.of()),
                        knownFacts.getOrDefault(name, List.of()), highest.get(name)))
                .toList();
    }

    private LocalDate since() {
        Instant now = clock.instant();
        return LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(properties.peakDays());
    }

    private Fleet fleet(String service, @Nullable KnownService known, List<StoredCapacity> found,
            List<InstanceFactsRepository.Known> stored, PeakTrafficRepository.@Nullable Peak peak) {
        InstanceCapacities capacities = new InstanceCapacities(found);
        Map<String, InstanceFacts> facts = stored.stream()
                .collect(Collectors.toMap(InstanceFactsRepository.Known::instance,
                        InstanceFactsRepository.Known::facts));
        List<KnownInstance> reported = known != null && known.fresh() ? known.instances() : List.of();
        List<FleetInstance> instances = new ArrayList<>();
        Map<Long, StoredCapacity> used = new TreeMap<>();
        capacities.classes().forEach(one -> used.put(one.id(), one));
        for (KnownInstance instance : reported) {
            InstanceFacts fact = facts.getOrDefault(instance.address(), InstanceFacts.NONE);
            Optional<StoredCapacity> strength = capacities.of(instance.address(), fact.hardware());
            strength.ifPresent(one -> used.put(one.id(), one));
            instances.add(new FleetInstance(instance.address(), instance.naturalShare().ratio(), fact.hardware(),
                    strength.map(one -> one.record().low()).filter(low -> low > 0).orElse(null), fact.failureDomain()));
        }
        return new Fleet(service, known != null && known.fresh(), instances,
                used.values().stream().map(this::basis).toList(), peak);
    }

    /**
     * The capacities of the instances of one service. An instance has its own newest capacity. One that was never tested has the
     * newest capacity of its hardware class. No capacity is inferred from another class.
     */
    static final class InstanceCapacities {

        /** The newest capacities by instance. */
        private final Map<String, StoredCapacity> own = new HashMap<>();

        /** The newest capacities by hardware class; an unknown class is the empty text. */
        private final Map<String, StoredCapacity> byHardware = new LinkedHashMap<>();

        /**
         * Takes the capacities of one service.
         *
         * @param newest of each of its instances
         */
        InstanceCapacities(List<StoredCapacity> newest) {
            newest.stream()
                    .sorted(Comparator.comparing((StoredCapacity one) -> one.record().recordedAt())
                            .thenComparingLong(StoredCapacity::id)
                            .reversed())
                    .forEach(one -> {
                        own.put(one.record().instance(), one);
                        byHardware.putIfAbsent(hardware(one.hardware()), one);
                    });
        }

        /** Returns the newest capacity of each hardware class, the newest first. */
        Collection<StoredCapacity> classes() {
            return byHardware.values();
        }

        Optional<StoredCapacity> of(String instance, @Nullable String hardware) {
            StoredCapacity tested = own.get(instance);
            return Optional.ofNullable(tested == null ? byHardware.get(hardware(hardware)) : tested);
        }

        private static String hardware(@Nullable String hardware) {
            return Objects.requireNonNullElse(hardware, "");
        }
    }
}
