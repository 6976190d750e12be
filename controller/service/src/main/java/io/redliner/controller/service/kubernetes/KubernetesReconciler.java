// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Action;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Decision;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Known;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.ObjectEvent;
import io.redliner.controller.service.persistence.PlanRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.controller.service.scheduling.RunStarter;
import io.redliner.controller.service.scheduling.SeriesService;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes plans and runs what the objects of the API server ask for, and their status what became of them. Each look reads all
 * objects, so that nothing is missed while the API server or the controller was away. One controller looks at a time.
 */
final class KubernetesReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesReconciler.class);

    private final KubernetesProperties properties;

    private final KubernetesObjects objects;

    private final CapacityTestDecider decider;

    private final PlanWriter writer;

    private final PlanRepository plans;

    private final RunReadRepository runs;

    private final RunRepository liveRuns;

    private final RunStarter starter;

    private final RunCommands commands;

    private final SeriesService series;

    private final ServiceCatalog catalog;

    private final InstantSource clock;

    private final NamespaceReader reader;

    private volatile @Nullable Instant lookingSince;

    private volatile Look lastLook = new Look(Instant.MIN, Map.of());

    KubernetesReconciler(KubernetesProperties properties, KubernetesObjects objects, CapacityTestDecider decider,
            PlanWriter writer, PlanRepository plans, RunReadRepository runs, RunRepository liveRuns, RunStarter starter,
            RunCommands commands, SeriesService series, ServiceCatalog catalog, InstantSource clock) {
        this.properties = properties;
        this.reader = new NamespaceReader(properties.interval());
        this.objects = objects;
        this.decider = decider;
        this.writer = writer;
        this.plans = plans;
        this.runs = runs;
        this.liveRuns = liveRuns;
        this.starter = starter;
        this.commands = commands;
        this.series = series;
        this.catalog = catalog;
        this.clock = clock;
    }

    /**
     * The last look of this controller.
     *
     * @param problems what could not be read or written, by namespace or object; {@code *} for all namespaces
     */
    record Look(Instant at, Map<String, String> problems) {}

    /** Returns the last look of this controller. */
    Look lastLook() {
        return lastLook;
    }

    /** Returns the beginning of the look that is under way; null when this controller is in none. */
    @Nullable
    Instant lookingSince() {
        return lookingSince;
    }

    /** Looks at all objects once. */
    void reconcile() {
        Map<String, String> problems = new LinkedHashMap<>();
        lookingSince = clock.instant();
        try {
            look(problems);
        } finally {
            lookingSince = null;
        }
        if (!problems.equals(lastLook.problems())) {
            problems.forEach((subject, problem) -> LOG.warn("Kubernetes, {}: {}", subject, problem));
        }
        lastLook = new Look(clock.instant(), Map.copyOf(problems));
    }

    private void look(Map<String, String> problems) {
        List<String> namespaces = properties.namespaces().isEmpty()
                ? List.of(NamespaceReader.ALL)
                : properties.namespaces();
        NamespaceReader.Picture seen = reader.read(namespaces,
                namespace -> new NamespaceReader.Contents(objects.services(namespace, problems),
                        objects.tests(namespace, problems)),
                problems, clock.instant());
        Map<String, ServiceClaim> holders = ServiceClaim.holders(
                Stream.concat(seen.claims().stream(), seen.kept().stream()).toList(), seen.complete(), seen.unread());
        // Each request to an API server that does not answer takes the whole timeout: the others wait for the next look.
        boolean answers = true;
        for (ServiceClaim claim : seen.claims()) {
            answers = answers && guarded("RedlinerService " + claim.namespace() + "/" + claim.name(), problems,
                    () -> judge(claim, holders, seen.unread()));
        }
        for (CapacityTest test : seen.tests()) {
            if (answers || test.deleted()) {
                answers &= guarded("CapacityTest " + test.key(), problems, () -> reconcile(test, holders));
            }
        }
        guarded("plans", problems, () -> withdrawGone(seen, problems));
        if (properties.holdAutoscalers()) {
            hold(namespaces, answers, problems);
        }
    }

    private void hold(List<String> namespaces, boolean answered, Map<String, String> problems) {
        boolean answers = answered;
        Map<String, String> live = liveRuns.holders();
        List<Autoscaler> autoscalers = new ArrayList<>();
        for (String namespace : namespaces) {
            answers = answers && guarded("autoscalers" + (namespace.isEmpty() ? "" : " of " + namespace), problems,
                    () -> autoscalers.addAll(objects.autoscalers(namespace, live.keySet(), problems)));
        }
        for (Autoscaler autoscaler : autoscalers) {
            answers = answers && guarded(autoscaler.key().toString(), problems,
                    () -> hold(autoscaler, live.get(autoscaler.service()), problems));
        }
    }

    private void hold(Autoscaler autoscaler, @Nullable String run, Map<String, String> problems) {
        (run == null ? autoscaler.afterwards() : autoscaler.during(run)).ifPresent(change -> {
            objects.write(autoscaler, change);
            LOG.info("{} {}", autoscaler.key(), change.words());
        });
        if (run != null) {
            autoscaler.problem().ifPresent(problem -> problems.put(autoscaler.key().toString(), problem));
        }
    }

    /** A problem of one object keeps no other from being looked at; false when the API server did not answer. */
    private static boolean guarded(String subject, Map<String, String> problems, Runnable work) {
        try {
            work.run();
        } catch (KubernetesClientException refused) {
            problems.put(subject, NamespaceReader.words(refused));
            return refused.getCode() != NamespaceReader.NO_ANSWER;
        } catch (RuntimeException failure) {
            LOG.debug("{} could not be reconciled", subject, failure);
            problems.put(subject, "could not be reconciled, and is tried again: " + failure);
        }
        return true;
    }

    private void judge(ServiceClaim claim, Map<String, ServiceClaim> holders, Set<String> unread) {
        int instances = catalog.find(claim.service()).map(known -> known.fresh() ? known.instances().size() : 0)
                .orElse(0);
        List<Condition> judged = claim.judged(holders, unread, instances, clock.instant());
        if (!judged.equals(claim.conditions())) {
            objects.writeStatus(claim, judged);
        }
    }

    private void reconcile(CapacityTest test, Map<String, ServiceClaim> holders) {
        Instant now = clock.instant();
        Known known = known(test.key(), String.valueOf(test.spec().get("service")), test.deleted());
        Decision decision = decider.decide(test, holders, known, now);
        List<ObjectEvent> events = new ArrayList<>(decision.events());
        CapacityTestStatus status = decision.status();
        boolean released = false;
        for (Action action : decision.actions()) {
            if (action instanceof Action.StartRun || action instanceof Action.RefuseRun) {
                status = answered(test, status, action, now, events);
            } else if (action instanceof Action.SetFinalizer finalizer && finalizer.present()) {
                objects.setFinalizer(test, true);
            } else if (action instanceof Action.SetFinalizer) {
                released = true;
            } else {
                perform(test.key(), action, now);
            }
        }
        events.forEach(event -> objects.write(test, event, now));
        if (!status.equals(test.status())) {
            objects.writeStatus(test, status);
        }
        if (released) {
            // With it the object is gone.
            objects.setFinalizer(test, false);
        }
    }

    private Known known(CapacityTest.Key key, String service, boolean deleted) {
        StoredPlan plan = plans.find(key.plan()).orElse(null);
        if (plan != null && !CapacityTestDecider.isOwn(plan, key)) {
            return new Known(plan, List.of(), null);
        }
        // Runs of an earlier object of this name are not this one's.
        Instant since = plan != null ? plan.createdAt() : deleted ? Instant.EPOCH : clock.instant();
        StoredSeries newest = series.newestOfPlan(key.plan(), since).orElse(null);
        List<String> members = newest == null
                ? List.of()
                : newest.state().members().stream().map(SeriesState.Member::runId).filter(Objects::nonNull).toList();
        return new Known(plan, runs.ofPlan(key.plan(), service, since, members), newest);
    }

    /** A run that was started before, perhaps by another controller, is not started again, even if the plan has changed since. */
    private CapacityTestStatus answered(CapacityTest test, CapacityTestStatus status, Action request, Instant now,
            List<ObjectEvent> events) {
        String before = starter.started(test.requestKey()).orElse(null);
        if (before == null && request instanceof Action.RefuseRun refused) {
            return CapacityTestDecider.refused(test, status, refused.reason(), refused.message(), now, events);
        }
        RunStarter.Answer answer = before == null && request instanceof Action.StartRun start
                ? starter.start(start.plan(), null, test.requestKey())
                : new RunStarter.Answer.Started(String.valueOf(before));
        return CapacityTestDecider.started(test, status, answer, now, events);
    }

    private void perform(CapacityTest.Key key, Action action, Instant now) {
        switch (action) {
            case Action.SavePlan save -> save(key, save.plan(), now);
            case Action.DeletePlan ignored -> plans.delete(key.plan(), StoredPlan.Source.KUBERNETES);
            case Action.AbortRun abort -> commands.abort(abort.id(), abort.reason());
            case Action.AbortSeries abort -> series.abort(abort.id(), abort.reason());
            case Action.SetFinalizer ignored -> throw new IllegalStateException("of an object: " + key);
            case Action.StartRun ignored -> throw new IllegalStateException("of an object: " + key);
            case Action.RefuseRun ignored -> throw new IllegalStateException("of an object: " + key);
        }
    }

    private void save(CapacityTest.Key key, Plan plan, Instant now) {
        PlanRepository.Content content = new PlanRepository.Content(writer.write(plan), writer.hash(plan), null);
        PlanRepository.Origin origin = new PlanRepository.Origin(StoredPlan.Source.KUBERNETES, key.toString());
        if (!plans.replace(key.plan(), content, now, origin)) {
            plans.create(key.plan(), content, now, origin);
        }
    }

    /** Withdraws the plans of objects that are gone without RedLiner's consent, or whose namespaces are not followed any more. */
    private void withdrawGone(NamespaceReader.Picture seen, Map<String, String> problems) {
        Set<String> present = new HashSet<>();
        seen.tests().forEach(test -> present.add(test.key().toString()));
        for (StoredPlan plan : plans.of(StoredPlan.Source.KUBERNETES)) {
            CapacityTest.Key key = key(plan.file());
            if (key != null && !present.contains(key.toString()) && !seen.unread().contains(NamespaceReader.ALL)
                    && !seen.unread().contains(key.namespace())) {
                guarded("plan " + plan.name(), problems, () -> withdraw(key));
            }
        }
    }

    private void withdraw(CapacityTest.Key key) {
        List<Action> actions = decider.withdrawal(key, known(key, "", true), key + " is gone");
        if (!actions.isEmpty()) {
            LOG.warn("CapacityTest {} is gone: its plan is removed, and its runs are ended", key);
        }
        actions.forEach(action -> perform(key, action, clock.instant()));
    }

    private static CapacityTest.@Nullable Key key(@Nullable String file) {
        int slash = file == null ? -1 : file.indexOf('/');
        return file == null || slash < 0
                ? null
                : new CapacityTest.Key(file.substring(0, slash), file.substring(slash + 1));
    }
}
