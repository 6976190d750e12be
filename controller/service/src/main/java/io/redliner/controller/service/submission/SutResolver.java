// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.sut.CandidateFleet;
import io.redliner.controller.core.sut.NoMatchingInstanceException;
import io.redliner.controller.core.sut.Rollout;
import io.redliner.controller.core.sut.SutCandidate;
import io.redliner.controller.core.sut.SutSelector;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.SutChoice.Selected;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.persistence.RolloutRepository;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses the instance under test from the facts about a service's instances. */
final class SutResolver {

    private final InstanceFactsRepository facts;

    private final RolloutRepository rollouts;

    SutResolver(InstanceFactsRepository facts, RolloutRepository rollouts) {
        this.facts = facts;
        this.rollouts = rollouts;
    }

    /**
     * Chooses an instance that the service has now.
     *
     * @param wanted the plan's selection
     * @param without addresses to leave out
     * @param deployment id of the deployment that starts the run; absent without one
     * @param field JSON path of the selection, for the message
     * @throws RunRejectedException when no known instance matches the selection
     */
    SutSelection choose(Plan plan, Selected wanted, KnownService service, Set<String> without,
            @Nullable String deployment,
            RandomGenerator random, String field) {
        try {
            return SutSelector.choose(wanted, fleet(plan, service, deployment), without, deployment, random);
        } catch (NoMatchingInstanceException nothing) {
            throw new RunRejectedException(
                    nothing.gone() ? RejectionReason.VERSION_GONE : RejectionReason.NO_MATCHING_INSTANCE,
                    String.valueOf(nothing.getMessage()), field,
                    service.instances().stream().map(KnownInstance::address).toList());
        }
    }

    /** Returns the hardware of the service's instances, by address; those are absent of which nobody reported any. */
    Map<String, String> hardware(String service) {
        Map<String, String> reported = new HashMap<>();
        facts.of(service).forEach(known -> {
            String hardware = known.facts().hardware();
            if (hardware != null) {
                reported.put(known.instance(), hardware);
            }
        });
        return reported;
    }

    private CandidateFleet fleet(Plan plan, KnownService service, @Nullable String deployment) {
        String name = service.name();
        Map<String, InstanceFacts> known = facts.of(name)
                .stream()
                .collect(Collectors.toMap(InstanceFactsRepository.Known::instance,
                        InstanceFactsRepository.Known::facts));
        Map<String, Instant> tested = rollouts.tested(name);
        List<SutCandidate> candidates = service.instances()
                .stream()
                .filter(instance -> canBeTested(instance, plan))
                .map(instance -> new SutCandidate(instance.address(),
                        known.getOrDefault(instance.address(), InstanceFacts.NONE), tested.get(instance.address())))
                .toList();
        int others = service.instances().size() - candidates.size();
        Rollout cause = deployment == null ? null : rollouts.deployment(deployment).orElse(null);
        return cause == null
                ? new CandidateFleet(name, candidates, others, rollouts.rollouts(name), null, null)
                : new CandidateFleet(name, candidates, others, rollouts.rolloutsUntil(name, cause), cause,
                        rollouts.since(name, cause).orElse(null));
    }

    /**
     * Returns false for an instance without natural traffic, which is out of rotation, and for one whose natural share is above the
     * plan's largest share.
     */
    private static boolean canBeTested(KnownInstance instance, Plan plan) {
        return instance.naturalShare().above(Share.NONE) && !instance.naturalShare().above(plan.limits().maxShare());
    }
}
