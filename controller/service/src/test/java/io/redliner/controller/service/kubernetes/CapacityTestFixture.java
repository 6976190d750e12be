// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.Milestones;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.run.StopReason;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Action;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Decision;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Known;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.ObjectEvent;
import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A CapacityTest and what is known of it, without a cluster. */
abstract class CapacityTestFixture {

    static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");

    static final CapacityTest.Key KEY = new CapacityTest.Key("shop", "weekly");

    static final Map<String, ServiceClaim> HOLDERS = Map.of("cart", claim("shop", "cart", NOW));

    static final Known NOTHING = new Known(null, List.of(), null);

    final CapacityTestDecider decider = new CapacityTestDecider(new PlanReader(new RuleCompiler()),
            new PlanWriter(), (name, zone) -> Optional.empty());

    final Map<String, Object> spec = new HashMap<>(Map.of("service", "cart",
            "sut", Map.of("instance", "10.0.0.1:8080"), "sla",
            List.of(Map.of("name", "latency", "expr", "latency.p99 <= duration('100ms')"))));

    boolean deleted;

    boolean finalizer = true;

    @Nullable
    String runRequest;

    CapacityTestStatus status = CapacityTestStatus.NONE;

    static ServiceClaim claim(String namespace, String service, Instant created) {
        return new ServiceClaim(namespace, service, service, created, 1, List.of());
    }

    CapacityTest test() {
        return new CapacityTest(KEY, "uid-1", 3, deleted, finalizer, runRequest, spec, status);
    }

    Decision decide(Known known) {
        return decide(known, NOW);
    }

    Decision decide(Known known, Instant now) {
        Decision decision = decider.decide(test(), HOLDERS, known, now);
        status = decision.status();
        return decision;
    }

    static StoredPlan stored(String hash, StoredPlan.Source source) {
        return new StoredPlan(KEY.plan(), 1, "{}", hash, NOW, NOW, source,
                source == StoredPlan.Source.KUBERNETES ? KEY.toString() : null);
    }

    /** The plan of the object as it is stored now. */
    StoredPlan stored() {
        Plan plan = plan();
        return new StoredPlan(KEY.plan(), 1, new PlanWriter().write(plan), new PlanWriter().hash(plan), NOW, NOW,
                StoredPlan.Source.KUBERNETES, KEY.toString());
    }

    Plan plan() {
        CapacityTest fresh = new CapacityTest(KEY, "uid-1", 3, false, true, null, spec, CapacityTestStatus.NONE);
        return decider.decide(fresh, HOLDERS, NOTHING, NOW).actions().stream()
                .filter(Action.SavePlan.class::isInstance).map(Action.SavePlan.class::cast).findFirst().orElseThrow()
                .plan();
    }

    StoredRun run(String id, @Nullable RunEnd end, RestoreProof.Proof proof) {
        RunFacts facts = new RunFacts(id, "cart", "10.0.0.1:8080", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, NOW);
        RunState state = end == null
                ? new RunState.Pending(facts)
                : new RunState.Finished(facts, end, new RestoreProof(proof, Duration.ofMillis(300), "measured"),
                        new HarmDone(0, null), new Milestones(null, null, null, false), null, NOW);
        return new StoredRun(id, new CanonicalPlan(KEY.plan(), new PlanWriter().hash(plan()), "{}"), state, 1, 1, NOW,
                null);
    }

    StoredRun over(String id, RunOutcome outcome, StopCode code, double high) {
        return run(id, new RunEnd(outcome, new StopReason(code, "because"),
                new CapacityEstimate(395.4, 380, high, "latency", null, null, null, null), null),
                RestoreProof.Proof.MEASURED);
    }

    String condition(String type) {
        return status.condition(type).map(found -> found.status() + " " + found.reason()).orElse("");
    }

    static List<String> reasons(Decision decision) {
        return decision.events().stream().map(ObjectEvent::reason).toList();
    }
}
