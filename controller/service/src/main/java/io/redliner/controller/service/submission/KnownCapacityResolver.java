// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository.Known;
import io.redliner.controller.service.persistence.StoredCapacity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the earlier capacities that a run may combine its own estimate with. */
final class KnownCapacityResolver {

    /** Maximum age of a capacity that is used. */
    private static final Duration MAX_AGE = Duration.ofDays(30);

    /** Maximum difference between the times of day: traffic counts as alike within it. */
    private static final Duration SAME_TIME_OF_DAY = Duration.ofHours(3);

    private static final Duration DAY = Duration.ofDays(1);

    private static final int MAX_CANDIDATES = 50;

    private final CapacityRepository capacities;

    private final InstanceFactsRepository facts;

    private final PlanWriter writer;

    private final InstantSource clock;

    KnownCapacityResolver(CapacityRepository capacities, InstanceFactsRepository facts, PlanWriter writer,
            InstantSource clock) {
        this.capacities = capacities;
        this.facts = facts;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * Returns the newest capacity that is comparable and may be combined; null without one, and for a plan that does not search.
     * With an unknown version nothing is comparable, because it may be another version.
     */
    @Nullable
    KnownCapacity known(Plan plan, String instance) {
        return plan.profile().searches() && !plan.profile().series()
                ? comparable(plan, instance).stream().findFirst().flatMap(CapacityRecord::known).orElse(null)
                : null;
    }

    /** Returns the capacities that are comparable and may be combined, newest first; none when the version is unknown. */
    List<CapacityRecord> comparable(Plan plan, String instance) {
        InstanceFacts instanceFacts = facts.find(plan.service(), instance).map(Known::facts).orElse(InstanceFacts.NONE)
                .orLabels(plan.labels());
        if (instanceFacts.version() == null) {
            return List.of();
        }
        Instant at = clock.instant();
        return combinable(capacities.comparable(plan.service(), instance, instanceFacts, writer.canonical(plan).json(),
                at.minus(MAX_AGE), MAX_CANDIDATES), at);
    }

    private static List<CapacityRecord> combinable(List<StoredCapacity> newestFirst, Instant at) {
        return newestFirst.stream()
                .map(StoredCapacity::record)
                .filter(found -> sameTimeOfDay(found.recordedAt(), at))
                .filter(found -> found.known().isPresent())
                .toList();
    }

    private static boolean sameTimeOfDay(Instant one, Instant other) {
        long apart = Math.floorMod(Duration.between(one, other).toSeconds(), DAY.toSeconds());
        return Math.min(apart, DAY.toSeconds() - apart) <= SAME_TIME_OF_DAY.toSeconds();
    }
}
