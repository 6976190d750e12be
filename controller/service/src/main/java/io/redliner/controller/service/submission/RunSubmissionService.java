// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.catalog.KnownService;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Feasibility;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StartConditions;
import io.redliner.controller.core.run.StepPlan;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Sha256;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.KillSwitchService;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.execution.RunExecutor;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Starts a run of a plan, if the service, the instance and the proxies are known. */
public final class RunSubmissionService {

    private final ServiceCatalog catalog;

    private final RunRepository runs;

    private final RunExecutor executor;

    private final RunCommands commands;

    private final PlanWriter writer;

    private final CapacityRepository capacities;

    private final ConcurrencyProperties concurrency;

    private final RunTimeouts timeouts;

    private final StepPlanResolver stepPlanResolver;

    private final KnownCapacityResolver knownCapacityResolver;

    private final InstantSource clock;

    private final List<PlanValidator> checks;

    private final SutResolver sutResolver;

    private final KillSwitchService killSwitchService;

    RunSubmissionService(ServiceCatalog catalog, RunRepository runs, RunExecutor executor, RunCommands commands,
            PlanWriter writer, CapacityRepository capacities, ConcurrencyProperties concurrency, RunTimeouts timeouts,
            StepPlanResolver stepPlanResolver, KnownCapacityResolver knownCapacityResolver, InstantSource clock,
            List<PlanValidator> checks, SutResolver sutResolver, KillSwitchService killSwitchService) {
        this.catalog = catalog;
        this.runs = runs;
        this.executor = executor;
        this.commands = commands;
        this.writer = writer;
        this.capacities = capacities;
        this.concurrency = concurrency;
        this.timeouts = timeouts;
        this.stepPlanResolver = stepPlanResolver;
        this.knownCapacityResolver = knownCapacityResolver;
        this.clock = clock;
        this.checks = List.copyOf(checks);
        this.sutResolver = sutResolver;
        this.killSwitchService = killSwitchService;
    }

    /**
     * Resolves what a run of the plan needs, and changes nothing.
     *
     * @param id id of the run or series; a random choice of an instance depends on it
     * @param deployment id of the deployment that starts it; absent without one
     * @throws RunRejectedException when it cannot be started
     */
    public RunOrder resolve(Plan plan, String id, @Nullable String deployment) {
        KnownService service = checked(plan);
        return switch (plan.sut()) {
            case SutChoice.Named named -> order(plan, id, service, instance(plan, service, named.instance()), null);
            case SutChoice.Selected wanted -> {
                SutSelection selection = sutResolver.choose(plan, wanted, service, Set.of(), deployment,
                        SeededRandom.of(id), "$.spec.sut.select");
                yield order(plan, id, service, instance(plan, service, selection.instance()), selection);
            }
        };
    }

    /**
     * Chooses an instance for one side of a series.
     *
     * @param without addresses that must not be chosen
     * @param id id of the series
     * @param deployment see {@link #resolve}
     * @param field JSON path of the selection in the plan
     * @throws RunRejectedException when no known instance matches the selection
     */
    public SutSelection choose(Plan plan, SutChoice.Selected wanted, Set<String> without, String id,
            @Nullable String deployment, String field) {
        return sutResolver.choose(plan, wanted, service(plan), without, deployment, SeededRandom.of(id + " " + field),
                field);
    }

    /** Returns the hardware of the service's instances, by address; those are absent of which nobody reported any. */
    public Map<String, String> hardware(String service) {
        return sutResolver.hardware(service);
    }

    /** Returns the addresses of the instances that the plan's service has now. */
    public Set<String> instances(Plan plan) {
        return service(plan).instances().stream().map(KnownInstance::address).collect(Collectors.toSet());
    }

    /** The addresses of the other instances of the service, which take over its traffic. */
    public List<String> peers(RunOrder order) {
        RunFacts facts = order.facts();
        return catalog.find(facts.service()).map(service -> service.peers(facts.sut())).orElse(List.of());
    }

    /**
     * Rejects a run of a service that has a live one.
     *
     * @throws RunRejectedException when the service has a live run
     */
    public void requireFree(String service) {
        runs.holder(service).ifPresent(holder -> {
            throw RunRejectedException.busy("service " + service, holder);
        });
    }

    private RunOrder order(Plan plan, String id, KnownService service, KnownInstance sut,
            @Nullable SutSelection selection) {
        if (service.peers(sut.address()).isEmpty()) {
            throw new RunRejectedException(RejectionReason.NO_PEERS, "service " + plan.service()
                    + " has no instance but the one under test: nobody could take its traffic", "$.spec.sut.instance",
                    List.of());
        }
        if (sut.naturalShare().above(plan.limits().maxShare())) {
            throw new RunRejectedException(RejectionReason.SHARE_LIMIT_BELOW_NATURAL,
                    "maxShare " + plan.limits().maxShare() + " is below the natural share " + sut.naturalShare()
                            + " of " + sut.address() + ": write a maxShare above " + sut.naturalShare(),
                    "$.spec.limits.maxShare", List.of());
        }
        if (!service.anyProxyConnected()) {
            throw new RunRejectedException(RejectionReason.NO_PROXY_CONNECTED,
                    "no proxy of service " + plan.service() + " is connected to its redirector");
        }
        StepPlan steps = stepPlanResolver.steps(plan, sut.address(), sut.naturalShare());
        requireFeasible(plan, steps, sut);
        RunFacts facts = new RunFacts(id, plan.service(), sut.address(), 0, sut.naturalShare(),
                RunBounds.of(plan.limits()), timeouts, clock.instant().truncatedTo(ChronoUnit.MILLIS), plan.redirect(),
                StartConditions.NONE, null, steps, selection, service.elsewhere());
        return new RunOrder(writer.canonical(plan), plan.safety().conflictGroup(),
                concurrency.cluster(plan.service()), service.epoch(), facts, service.redirectors());
    }

    private void requireFeasible(Plan plan, @Nullable StepPlan steps, KnownInstance sut) {
        Share maxShare = plan.limits().maxShare();
        if (maxShare.equals(sut.naturalShare()) && Feasibility.raises(steps, sut.naturalShare())) {
            throw new RunRejectedException(RejectionReason.SHARE_LIMIT_BELOW_NATURAL,
                    "maxShare " + maxShare + " is the natural share of " + sut.address()
                            + ", so there is no larger one to test: write a maxShare above " + maxShare,
                    "$.spec.limits.maxShare", List.of());
        }
        Optional<DocumentProblem.Unlocated> fault = Feasibility
                .fault(plan, steps, sut.address(), sut.naturalShare(), timeouts)
                .or(() -> steps == null || !steps.steers() ? stepPlanResolver.unsupported(plan) : Optional.empty());
        if (fault.isPresent()) {
            throw new RunRejectedException(RejectionReason.OUT_OF_REACH, fault.get().message(), fault.get().path(),
                    List.of());
        }
    }

    /**
     * Starts a run, or registers it to wait for its approval.
     *
     * @param actor name of the caller
     * @param deployment id of the deployment that starts it; absent without one
     * @param idempotencyKey key of the request; the same key and body give the same run
     * @param bodyHash hash of the request's body
     * @return the run, or the one of the same request before
     * @throws RunRejectedException when it cannot be started, when nothing may begin now, when the service or the conflict
     *             group has a live run, and when the key was used with another body
     */
    public StoredRun submit(Plan plan, String actor, @Nullable String deployment, @Nullable String idempotencyKey,
            String bodyHash) {
        return submit(plan, actor, deployment, idempotencyKey, bodyHash, true);
    }

    /**
     * Starts a run of a series, which builds on no earlier run: its answer is compared with those of the others.
     *
     * @param actor name of the caller
     * @param idempotencyKey the same key and hash give the same run
     * @throws RunRejectedException see {@link #submit}
     */
    public StoredRun submitMember(Plan plan, String actor, String idempotencyKey, String bodyHash) {
        return submit(plan, actor, null, idempotencyKey, bodyHash, false);
    }

    private StoredRun submit(Plan plan, String actor, @Nullable String deployment, @Nullable String idempotencyKey,
            String bodyHash, boolean buildsOnEarlierRuns) {
        Optional<StoredRun> earlier = runs.findByIdempotencyKey(idempotencyKey, bodyHash);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        if (!executor.accepting()) {
            throw new RunRejectedException(RejectionReason.CONTROLLER_STOPPING, "the controller is stopping");
        }
        requireReleased();
        RunOrder order = resolve(plan, UUID.randomUUID().toString(), deployment);
        StoredRun run = runs.register(order.under(conditions(plan, order.facts().sut(), actor, buildsOnEarlierRuns)),
                idempotencyKey, bodyHash);
        boolean repeated = !run.id().equals(order.facts().runId());
        if (!repeated && !run.state().facts().awaitsApproval()) {
            executor.begin(run, RunRules.of(plan), order.redirectors());
        }
        return run;
    }

    /**
     * Approves a run that waits for it, so that it begins. All conditions of the start are checked again.
     *
     * @param run the run that waits for its approval
     * @param plan the plan with which it was submitted
     * @param actor name of the caller, who approves it
     * @throws RunRejectedException when it cannot be started, and when nothing may begin now
     */
    public void approve(StoredRun run, Plan plan, String actor, String reason) {
        StartConditions.Approval approval = run.state().facts().clearance().approval();
        if (approval == null || !approval.mayCome(actor)) {
            throw new RunRejectedException(RejectionReason.SECOND_PERSON_NEEDED,
                    "run " + run.id() + " was submitted by " + actor + ", and somebody else has to approve it");
        }
        requireReleased();
        // The approval is for the instance that the second person was shown, so no other is chosen.
        KnownService service = checked(plan);
        RunFacts facts = run.state().facts();
        RunOrder order = order(plan, run.id(), service, instance(plan, service, facts.sut()), facts.chosen());
        RunFacts permitted = runs.recheckStart(order);
        commands.accept(run.id(), new RunEvent.Approved(actor, reason, order.redirectors(),
                permitted.naturalShare(), permitted.clearance().until(), permitted.elsewhere(),
                facts.clearance().known() == null ? null : knownCapacityResolver.known(plan, facts.sut()),
                order.facts().profile()));
    }

    /** Redirectors would refuse the leases of a run that begins while they still obey the kill switch. */
    private void requireReleased() {
        killSwitchService.beingReleased().ifPresent(obeyed -> {
            throw new RunRejectedException(RejectionReason.KILL_SWITCH_ENGAGED, obeyed.describe());
        });
    }

    private StartConditions conditions(Plan plan, String sut, String actor, boolean buildsOnEarlierRuns) {
        Duration within = plan.safety().approvalWithin();
        Double load = plan.safety().trafficRequired()
                ? capacities.newest(plan.service(), sut).map(CapacityRecord::capacity).orElse(null)
                : null;
        return new StartConditions(null, within == null ? null : new StartConditions.Approval(actor, within), load,
                buildsOnEarlierRuns ? knownCapacityResolver.known(plan, sut) : null);
    }

    private KnownService checked(Plan plan) {
        for (PlanValidator check : checks) {
            check.check(plan);
        }
        return service(plan);
    }

    private KnownService service(Plan plan) {
        KnownService service = catalog.find(plan.service()).orElse(null);
        if (service == null) {
            throw unknown(plan.service(), catalog.names());
        }
        if (!service.fresh()) {
            throw new RunRejectedException(RejectionReason.NO_REDIRECTOR,
                    "no redirector of service " + plan.service() + " has reported since " + service.lastSeen());
        }
        return service;
    }

    private static RunRejectedException unknown(String service, List<String> known) {
        return known.isEmpty()
                ? new RunRejectedException(RejectionReason.NO_REDIRECTOR,
                        "no redirector has reported, so no service is known")
                : new RunRejectedException(RejectionReason.UNKNOWN_SERVICE, "no redirector knows service " + service
                        + "; known are " + String.join(", ", known), "$.spec.service", known);
    }

    private static KnownInstance instance(Plan plan, KnownService service, String address) {
        List<String> known = service.addresses();
        return service.instance(address)
                .orElseThrow(() -> new RunRejectedException(RejectionReason.UNKNOWN_INSTANCE,
                        "service " + plan.service() + " has no instance " + address + "; known are "
                                + String.join(", ", known),
                        "$.spec.sut.instance", known));
    }

    /** Lots that are the same again for one run or series, and others for another one. */
    static final class SeededRandom {

        private SeededRandom() {}

        /** The lots of a run or a series. */
        static RandomGenerator of(String id) {
            return RandomGeneratorFactory.of("L64X128MixRandom").create(seed(id));
        }

        private static long seed(String id) {
            return ByteBuffer.wrap(Sha256.of(id)).getLong();
        }
    }
}
