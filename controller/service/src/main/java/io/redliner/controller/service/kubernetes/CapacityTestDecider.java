// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.ScheduleValidator;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.controller.service.scheduling.RunStarter;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decides what becomes of a CapacityTest as it is now, and what its status says. It changes nothing itself. The same decision
 * comes of the same object, so that a controller that starts anew neither starts a run again nor repeats an event.
 */
final class CapacityTestDecider {

    private static final String ACCEPTED = "Accepted";

    private static final String REQUESTED = "Requested";

    private static final String WAITING = "Waiting";

    private static final String NOT_OWNER = "NotOwner";

    /** How long after its time a request may wait for the end of another run or freeze, or for a redirector. */
    static final Duration START_WITHIN = Duration.ofMinutes(5);

    /** How far the clock of the one who asks may be ahead. */
    private static final Duration MAX_AHEAD = Duration.ofMinutes(1);

    private static final int MAX_NAME = 63;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final PlanReader reader;

    private final PlanWriter writer;

    private final CalendarLookup calendars;

    CapacityTestDecider(PlanReader reader, PlanWriter writer, CalendarLookup calendars) {
        this.reader = reader;
        this.writer = writer;
        this.calendars = calendars;
    }

    /**
     * All that the database knows of a CapacityTest.
     *
     * @param plan stored under the name of its plan
     * @param runs of versions of the plan: the live ones, and the newest that is over, newest first
     * @param series the newest
     */
    record Known(@Nullable StoredPlan plan, List<StoredRun> runs, @Nullable StoredSeries series) {

        boolean live() {
            return runs.stream().anyMatch(run -> run.state().phase() != RunPhase.FINISHED)
                    || (series != null && series.finishedAt() == null);
        }
    }

    /** A thing to do, in the order of the decision. */
    sealed interface Action {

        /** Adds or removes the finalizer. */
        record SetFinalizer(boolean present) implements Action {}

        /** Stores the plan, which is new or differs from the stored one. */
        record SavePlan(Plan plan) implements Action {}

        /** Removes the stored plan, so that its schedule starts nothing any more. */
        record DeletePlan() implements Action {}

        /** Starts the run of the object's newest request, once. */
        record StartRun(Plan plan) implements Action {}

        /**
         * Refuses the object's newest request, unless its run was started before.
         *
         * @param reason one word, for machines
         */
        record RefuseRun(String reason, String message) implements Action {}

        /** Aborts a run. */
        record AbortRun(String id, String reason) implements Action {}

        /** Aborts a series and its run. */
        record AbortSeries(String id, String reason) implements Action {}
    }

    /**
     * An event of the object. It is written once for each key.
     *
     * @param reason one word, for machines
     */
    record ObjectEvent(boolean warning, String reason, String message, String key) {}

    /** The things to do, and the status after them. */
    record Decision(List<Action> actions, CapacityTestStatus status, List<ObjectEvent> events) {}

    private record Refusal(String reason, String message) {}

    /**
     * Decides about an object.
     *
     * @param holders the RedlinerService that holds for each service
     */
    Decision decide(CapacityTest test, Map<String, ServiceClaim> holders, Known known, Instant now) {
        List<ObjectEvent> events = new ArrayList<>();
        StoredPlan stored = known.plan();
        Plan plan = null;
        Refusal refusal = null;
        try {
            plan = reader.read(text(test), read -> ScheduleValidator.fault(read, calendars, now));
        } catch (InvalidDocumentException invalid) {
            refusal = new Refusal("Invalid", words(invalid) + (stored == null
                    ? ""
                    : "; until then the plan stays as it was before"));
        }
        String hash = plan == null ? "" : writer.hash(plan);
        CapacityTestStatus status = new RunsInStatus(test, known, hash, now, events).status();
        if (test.deleted()) {
            return deleted(test, known, status, events);
        }
        Refusal notAllowed = stored != null && !isOwn(stored, test.key())
                ? new Refusal("NameTaken", "there is a plan " + test.key().plan() + " already that did not come from"
                        + " this object; delete it there first, or name this object otherwise")
                : refusal(test, holders);
        refusal = notAllowed == null ? refusal : notAllowed;
        List<Action> actions = new ArrayList<>();
        if (refusal != null) {
            status = refused(test, known, status, refusal, events, now);
            if (refusal.reason().equals(NOT_OWNER)) {
                actions.addAll(withdrawal(test.key(), known, refusal.message()));
            }
        } else {
            if (!test.finalizer()) {
                actions.add(new Action.SetFinalizer(true));
            }
            if (stored == null || !stored.hash().equals(hash)) {
                actions.add(new Action.SavePlan(Objects.requireNonNull(plan)));
            }
            status = status.with(ACCEPTED, Condition.TRUE, "Accepted", "the plan is stored as " + test.key().plan(),
                    now);
        }
        if (test.asksForRun()) {
            actions.add(request(test, refusal == null ? plan : null, refusal, now));
        }
        return new Decision(actions, status, events);
    }

    /** Returns true when a stored plan is the object's. */
    static boolean isOwn(StoredPlan stored, CapacityTest.Key key) {
        return stored.source() == StoredPlan.Source.KUBERNETES && key.toString().equals(stored.file());
    }

    private Decision deleted(CapacityTest test, Known known, CapacityTestStatus status, List<ObjectEvent> events) {
        List<Action> actions = new ArrayList<>(withdrawal(test.key(), known, test.key() + " was deleted"));
        if (!known.live()) {
            known.runs().stream().map(StoredRun::state)
                    .filter(state -> state instanceof RunState.Finished end && !end.restored().proven())
                    .findFirst()
                    .ifPresent(state -> events.add(new ObjectEvent(true, "RestoreNotProven", "the traffic of "
                            + state.facts().service() + " is not known to be natural after run "
                            + state.facts().runId(), state.facts().runId())));
            if (actions.isEmpty() && test.finalizer()) {
                actions.add(new Action.SetFinalizer(false));
            }
        }
        return new Decision(actions, status, events);
    }

    /**
     * Returns the actions by which no run of an object begins or goes on: of one that is deleted or gone, or lost its service. They
     * are decided anew at each look until the plan is gone, which stays as long as something is live.
     */
    List<Action> withdrawal(CapacityTest.Key key, Known known, String reason) {
        List<Action> actions = new ArrayList<>();
        StoredPlan stored = known.plan();
        if (stored == null || !isOwn(stored, key)) {
            return actions;
        }
        Plan silent = unscheduled(stored);
        if (silent != null) {
            actions.add(new Action.SavePlan(silent));
        } else if (!known.live()) {
            actions.add(new Action.DeletePlan());
        }
        StoredSeries series = known.series();
        if (series != null && series.finishedAt() == null && series.state().abortReason() == null) {
            actions.add(new Action.AbortSeries(series.id(), reason));
        }
        known.runs().stream().map(StoredRun::state)
                .filter(state -> state.phase() != RunPhase.FINISHED && state.phase() != RunPhase.RESTORING)
                .forEach(state -> actions.add(new Action.AbortRun(state.facts().runId(), reason)));
        return actions;
    }

    /** Returns a stored plan without its schedule; null when it has none, or cannot be read and so starts nothing. */
    private @Nullable Plan unscheduled(StoredPlan stored) {
        try {
            Plan plan = reader.read(stored.content());
            return plan.schedule() == null
                    ? null
                    : new Plan(plan.name(), plan.labels(), plan.service(), plan.sut(), plan.profile(), plan.redirect(),
                            plan.sla(), plan.guards(), plan.limits(), null, plan.notifications(), plan.settings(),
                            plan.safety());
        } catch (InvalidDocumentException unreadable) {
            return null;
        }
    }

    private static @Nullable Refusal refusal(CapacityTest test, Map<String, ServiceClaim> holders) {
        String service = String.valueOf(test.spec().get("service"));
        ServiceClaim holder = holders.get(service);
        String namespace = test.key().namespace();
        if (holder == null || !holder.namespace().equals(namespace)) {
            return new Refusal(NOT_OWNER, "namespace " + namespace + " may not test service " + service + ": "
                    + (holder == null
                            ? "no RedlinerService in it names the service; create one"
                            : "it is held by RedlinerService " + holder.namespace() + "/" + holder.name()));
        }
        return test.key().plan().length() <= MAX_NAME
                ? null
                : new Refusal("NameTooLong", "the plan " + test.key().plan() + " has " + test.key().plan().length()
                        + " characters, and at most " + MAX_NAME + " are allowed: give the object a shorter name");
    }

    private static CapacityTestStatus refused(CapacityTest test, Known known, CapacityTestStatus status,
            Refusal refusal, List<ObjectEvent> events, Instant now) {
        String message = RunsInStatus.shortened(refusal.message());
        if (status.condition(ACCEPTED).filter(old -> old.status().equals(Condition.FALSE)
                && old.observedGeneration() == test.generation() && old.message().equals(message)).isEmpty()) {
            events.add(new ObjectEvent(true, "Refused", message, test.generation() + message));
        }
        CapacityTestStatus shown = known.runs().isEmpty() && known.series() == null
                ? status.observed(test.generation(), CapacityTestStatus.REFUSED, null)
                : status;
        return shown.with(ACCEPTED, Condition.FALSE, refusal.reason(), message, now);
    }

    private static String text(CapacityTest test) {
        return JSON.writeValueAsString(Map.of("apiVersion", "redliner.io/v1", "kind", "CapacityTest",
                "metadata", Map.of("name", test.key().plan()), "spec", test.spec()));
    }

    private static String words(InvalidDocumentException invalid) {
        return invalid.problems().stream().map(problem -> problem.path() + ": " + problem.message())
                .collect(Collectors.joining("; "));
    }

    /** Returns the thing to do for the object's newest request, which is answered at the latest {@link #START_WITHIN} after its time. */
    private static Action request(CapacityTest test, @Nullable Plan plan, @Nullable Refusal refusal, Instant now) {
        if (plan == null) {
            Refusal why = Objects.requireNonNull(refusal);
            return new Action.RefuseRun(why.reason(), why.message());
        }
        Instant at;
        try {
            at = OffsetDateTime.parse(Objects.requireNonNull(test.runRequest()).strip()).toInstant();
        } catch (DateTimeParseException none) {
            return new Action.RefuseRun("NoTime", "'" + test.runRequest() + "' is no time such as "
                    + now.truncatedTo(ChronoUnit.SECONDS));
        }
        if (at.isAfter(now.plus(MAX_AHEAD))) {
            return new Action.RefuseRun("InFuture", at + " is more than " + MAX_AHEAD.toMinutes()
                    + " minute after the controller's clock");
        }
        return now.isBefore(at.plus(START_WITHIN))
                ? new Action.StartRun(plan)
                : new Action.RefuseRun("Expired", at + " is " + START_WITHIN.toMinutes() + " minutes ago or more"
                        + test.status().condition(REQUESTED).filter(last -> last.reason().equals(WAITING))
                                .map(last -> "; last: " + last.message()).orElse(""));
    }

    /** Returns the status after the start of the run that was asked for. The next look shows the run itself. */
    static CapacityTestStatus started(CapacityTest test, CapacityTestStatus status, RunStarter.Answer answer,
            Instant now, List<ObjectEvent> events) {
        String request = Objects.requireNonNull(test.runRequest());
        return switch (answer) {
            case RunStarter.Answer.Started started -> {
                String message = "run " + started.runId() + " was started";
                yield status.requestAnswered(request).with(REQUESTED, Condition.TRUE, "Started", message, now)
                        .with(RunsInStatus.RUNNING, Condition.TRUE, "Started", message, now);
            }
            case RunStarter.Answer.Refused refused when refused.again() ->
                status.with(REQUESTED, Condition.UNKNOWN, WAITING, RunsInStatus.shortened(refused.reason()
                        + "; request " + request + " is tried again for " + START_WITHIN.toMinutes() + " minutes"),
                        now);
            case RunStarter.Answer.Refused refused ->
                refused(test, status, RunsInStatus.word(refused.code()), refused.reason(), now, events);
            case RunStarter.Answer.NotApplicable gone ->
                refused(test, status, RunsInStatus.word(gone.code()), gone.reason(), now, events);
        };
    }

    /** Returns the status after the refusal of the run that was asked for, which is answered with it. */
    static CapacityTestStatus refused(CapacityTest test, CapacityTestStatus status, String reason, String why,
            Instant now, List<ObjectEvent> events) {
        String message = RunsInStatus.shortened(why) + "; to try again, set " + CapacityTest.RUN_REQUEST + " anew";
        events.add(new ObjectEvent(true, "RunRefused", message, test.requestKey()));
        return status.requestAnswered(Objects.requireNonNull(test.runRequest()))
                .with(REQUESTED, Condition.FALSE, reason, message, now);
    }
}
