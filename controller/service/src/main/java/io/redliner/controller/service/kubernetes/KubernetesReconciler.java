// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.redliner.controller.core.catalog.ServiceCatalog;
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
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes plans and runs what the objects of the API server ask for, and their status what became of them. Each look reads all
 * objects, so that nothing is missed while the API server or the controller was away. One controller looks at a time.
 */
final class KubernetesReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesReconciler.class);

    private static final String ALL = "";

    private final KubernetesProperties properties;

    private final KubernetesObjects objects;

    private final CapacityTestDecider decider;

    private final PlanWriter writer;

    private final PlanRepository plans;

    private final RunReadRepository runs;

    private final RunStarter starter;

    private final RunCommands commands;

    private final SeriesService series;

    private final ServiceCatalog catalog;

    private final InstantSource clock;

    private volatile Look lastLook = new Look(Instant.MIN, Map.of());

    KubernetesReconciler(KubernetesProperties properties, KubernetesObjects objects, CapacityTestDecider decider,
            PlanWriter writer, PlanRepository plans, RunReadRepository runs, RunStarter starter, RunCommands commands,
            SeriesService series, ServiceCatalog catalog, InstantSource clock) {
        this.properties = properties;
        this.objects = objects;
        this.decider = decider;
        this.writer = writer;
        this.plans = plans;
        this.runs = runs;
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

    /** Looks at all objects once. */
    void reconcile() {
        Map<String, String> problems = new LinkedHashMap<>();
        List<String> namespaces = properties.namespaces().isEmpty() ? List.of(ALL) : properties.namespaces();
        List<ServiceClaim> claims = new ArrayList<>();
        List<CapacityTest> tests = new ArrayList<>();
        Set<String> unread = new HashSet<>();
        Set<String> forbidden = new HashSet<>();
        for (String namespace : namespaces) {
            unread.add(namespace);
            guarded(namespace.isEmpty() ? "*" : namespace, problems, () -> {
                try {
                    List<ServiceClaim> claimed = objects.services(namespace);
                    tests.addAll(objects.tests(namespace));
                    claims.addAll(claimed);
                    unread.remove(namespace);
                } catch (KubernetesClientException refused) {
                    if (refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                        forbidden.add(namespace);
                    }
                    throw refused;
                }
            });
        }
        // A namespace without rights holds no service; one that could not be read now may hold some.
        Map<String, ServiceClaim> holders = ServiceClaim.holders(claims, forbidden.containsAll(unread));
        claims.forEach(claim -> guarded("RedlinerService " + claim.namespace() + "/" + claim.name(), problems,
                () -> judge(claim, holders)));
        tests.forEach(test -> guarded("CapacityTest " + test.key(), problems, () -> reconcile(test, holders)));
        guarded("plans", problems, () -> withdrawGone(tests, unread));
        if (!problems.equals(lastLook.problems())) {
            problems.forEach((subject, problem) -> LOG.warn("Kubernetes, {}: {}", subject, problem));
        }
        lastLook = new Look(clock.instant(), Map.copyOf(problems));
    }

    /** A problem of one namespace or object keeps no other from being looked at. */
    private static void guarded(String subject, Map<String, String> problems, Runnable work) {
        try {
            work.run();
        } catch (KubernetesClientException refused) {
            problems.put(subject, words(refused));
        } catch (RuntimeException failure) {
            LOG.debug("{} could not be reconciled", subject, failure);
            problems.put(subject, "could not be reconciled, and is tried again: " + failure);
        }
    }

    private static String words(KubernetesClientException refused) {
        String message = refused.getStatus() == null
                ? String.valueOf(refused.getMessage()).lines().findFirst().orElse("")
                : refused.getStatus().getMessage();
        return switch (refused.getCode()) {
            case HttpURLConnection.HTTP_NOT_FOUND ->
                "there is no such object or no such kind: install the CustomResourceDefinitions of the chart ("
                        + message
                        + ")";
            case HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_UNAUTHORIZED ->
                "the controller's service account may not do this: give it the Role of the chart (" + message + ")";
            default -> "the API server cannot be asked, and is tried again: " + message;
        };
    }

    private void judge(ServiceClaim claim, Map<String, ServiceClaim> holders) {
        int instances = catalog.find(claim.service()).map(known -> known.fresh() ? known.instances().size() : 0)
                .orElse(0);
        List<Condition> judged = claim.judged(holders, instances, clock.instant());
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
            if (action instanceof Action.StartRun start) {
                status = decider.started(test, status, answer(test, start.plan()), now, events);
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
        return new Known(plan, runs.ofPlan(key.plan(), service, since),
                series.newestOfPlan(key.plan(), since).orElse(null));
    }

    /** A run that was started before, perhaps by another controller, is not started again, even if the plan has changed since. */
    private RunStarter.Answer answer(CapacityTest test, Plan plan) {
        return starter.started(test.requestKey()).<RunStarter.Answer>map(RunStarter.Answer.Started::new)
                .orElseGet(() -> starter.start(plan, null, test.requestKey()));
    }

    private void perform(CapacityTest.Key key, Action action, Instant now) {
        switch (action) {
            case Action.SavePlan save -> save(key, save.plan(), now);
            case Action.DeletePlan ignored -> plans.delete(key.plan(), StoredPlan.Source.KUBERNETES);
            case Action.AbortRun abort -> commands.abort(abort.id(), abort.reason());
            case Action.AbortSeries abort -> series.abort(abort.id(), abort.reason());
            case Action.SetFinalizer ignored -> throw new IllegalStateException("of an object: " + key);
            case Action.StartRun ignored -> throw new IllegalStateException("of an object: " + key);
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
    private void withdrawGone(List<CapacityTest> tests, Set<String> unread) {
        Set<String> present = new HashSet<>();
        tests.forEach(test -> present.add(test.key().toString()));
        for (StoredPlan plan : plans.of(StoredPlan.Source.KUBERNETES)) {
            CapacityTest.Key key = key(plan.file());
            if (key != null && !present.contains(key.toString()) && !unread.contains(ALL)
                    && !unread.contains(key.namespace())) {
                LOG.warn("CapacityTest {} is gone: its plan is removed, and its runs are ended", key);
                CapacityTestDecider.withdrawal(key, known(key, "", true), key + " is gone")
                        .forEach(action -> perform(key, action, clock.instant()));
            }
        }
    }

    private static CapacityTest.@Nullable Key key(@Nullable String file) {
        int slash = file == null ? -1 : file.indexOf('/');
        return file == null || slash < 0
                ? null
                : new CapacityTest.Key(file.substring(0, slash), file.substring(slash + 1));
    }
}
