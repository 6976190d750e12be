// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.Headline;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.ScheduleValidator;
import io.redliner.controller.core.series.SeriesExitCode;
import io.redliner.controller.core.series.SeriesResult;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.StoredPlan;
import io.redliner.controller.service.scheduling.RunStarter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decides what becomes of a CapacityTest as it is now, and what its status says. It changes nothing itself. The same decision
 * comes of the same object, so that a controller that starts anew neither starts a run again nor repeats an event.
 */
final class CapacityTestDecider {

    private static final String ACCEPTED = "Accepted";

    private static final String RUNNING = "Running";

    private static final String MEASURED = "Measured";

    /** How long a run that was asked for may wait for the end of another run or freeze, or for a redirector. */
    static final Duration START_WITHIN = Duration.ofMinutes(5);

    /** Kubernetes takes 32 768 characters. */
    private static final int MAX_MESSAGE = 1_000;

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
     * @param runs the live ones, and the newest that is over, newest first
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
        CapacityTestStatus status = withRuns(test, known, now, events);
        if (test.deleted()) {
            return deleted(test, known, status, events);
        }
        StoredPlan stored = known.plan();
        boolean foreign = stored != null && !isOwn(stored, test.key());
        Plan plan = null;
        Refusal refusal;
        if (foreign) {
            refusal = new Refusal("NameTaken",
                    "there is a plan " + test.key().plan() + " already that did not come from"
                            + " this object; delete it there first, or name this object otherwise");
        } else {
            refusal = refusal(test, holders);
        }
        if (refusal == null) {
            try {
                plan = reader.read(text(test), read -> ScheduleValidator.fault(read, calendars, now));
            } catch (InvalidDocumentException invalid) {
                refusal = new Refusal("Invalid", words(invalid) + (stored == null
                        ? ""
                        : "; until then the plan stays as it was before"));
            }
        }
        if (plan == null) {
            return refused(test, known, status, Objects.requireNonNull(refusal), events, now);
        }
        List<Action> actions = new ArrayList<>();
        if (!test.finalizer()) {
            actions.add(new Action.SetFinalizer(true));
        }
        if (stored == null || !stored.hash().equals(writer.hash(plan))) {
            actions.add(new Action.SavePlan(plan));
        }
        if (test.asksForRun()) {
            actions.add(new Action.StartRun(plan));
        }
        return new Decision(actions, status.with(ACCEPTED, Condition.TRUE, "Accepted",
                "the plan is stored as " + test.key().plan(), now), events);
    }

    /** Returns true when a stored plan is the object's. */
    static boolean isOwn(StoredPlan stored, CapacityTest.Key key) {
        return stored.source() == StoredPlan.Source.KUBERNETES && key.toString().equals(stored.file());
    }

    private static Decision deleted(CapacityTest test, Known known, CapacityTestStatus status,
            List<ObjectEvent> events) {
        List<Action> actions = new ArrayList<>(withdrawal(test.key(), known, test.key() + " was deleted"));
        // A firing under way may still have begun a run before the plan was gone: the finalizer stays for another look.
        boolean stored = known.plan() != null && isOwn(known.plan(), test.key());
        if (!stored && !known.live()) {
            known.runs().stream().map(StoredRun::state)
                    .filter(state -> state instanceof RunState.Finished end && !end.restored().proven())
                    .findFirst()
                    .ifPresent(state -> events.add(new ObjectEvent(true, "RestoreNotProven", "the traffic of "
                            + state.facts().service() + " is not known to be natural after run "
                            + state.facts().runId(), state.facts().runId())));
            if (test.finalizer()) {
                actions.add(new Action.SetFinalizer(false));
            }
        }
        return new Decision(actions, status, events);
    }

    /** Returns the actions by which no run of an object goes on or begins: of one that is deleted, or gone. */
    static List<Action> withdrawal(CapacityTest.Key key, Known known, String reason) {
        List<Action> actions = new ArrayList<>();
        if (known.plan() != null && isOwn(known.plan(), key)) {
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

    private static @Nullable Refusal refusal(CapacityTest test, Map<String, ServiceClaim> holders) {
        String service = String.valueOf(test.spec().get("service"));
        ServiceClaim holder = holders.get(service);
        String namespace = test.key().namespace();
        if (holder == null || !holder.namespace().equals(namespace)) {
            return new Refusal("NotOwner", "namespace " + namespace + " may not test service " + service + ": "
                    + (holder == null
                            ? "no RedlinerService in it names the service; create one"
                            : "it is held by RedlinerService " + holder.namespace() + "/" + holder.name()));
        }
        return test.key().plan().length() <= MAX_NAME
                ? null
                : new Refusal("NameTooLong", "the plan " + test.key().plan() + " has " + test.key().plan().length()
                        + " characters, and at most " + MAX_NAME + " are allowed: give the object a shorter name");
    }

    private Decision refused(CapacityTest test, Known known, CapacityTestStatus status, Refusal refusal,
            List<ObjectEvent> events, Instant now) {
        String message = shortened(refusal.message());
        if (status.condition(ACCEPTED).filter(old -> old.status().equals(Condition.FALSE)
                && old.observedGeneration() == test.generation() && old.message().equals(message)).isEmpty()) {
            events.add(new ObjectEvent(true, "Refused", message, test.generation() + message));
        }
        List<Action> actions = new ArrayList<>();
        StoredPlan stored = known.plan();
        if (refusal.reason().equals("NotOwner") && stored != null && isOwn(stored, test.key())) {
            actions.add(new Action.DeletePlan());
        }
        CapacityTestStatus shown = known.runs().isEmpty() && known.series() == null
                ? status.observed(test.generation(), CapacityTestStatus.REFUSED, null)
                : status;
        return new Decision(actions, shown.with(ACCEPTED, Condition.FALSE, refusal.reason(), message, now), events);
    }

    private static String text(CapacityTest test) {
        return JSON.writeValueAsString(Map.of("apiVersion", "redliner.io/v1", "kind", "CapacityTest",
                "metadata", Map.of("name", test.key().plan()), "spec", test.spec()));
    }

    private static String words(InvalidDocumentException invalid) {
        return invalid.problems().stream().map(problem -> problem.path() + ": " + problem.message())
                .collect(Collectors.joining("; "));
    }

    private static String shortened(String message) {
        return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 3) + "...";
    }

    /** Returns the status after the start of the run that was asked for. The next look shows the run itself. */
    CapacityTestStatus started(CapacityTest test, CapacityTestStatus status, RunStarter.Answer answer, Instant now,
            List<ObjectEvent> events) {
        String request = Objects.requireNonNull(test.runRequest());
        return switch (answer) {
            case RunStarter.Answer.Started started -> status.requestAnswered(request)
                    .with(RUNNING, Condition.TRUE, "Started", "run " + started.runId() + " was started", now);
            case RunStarter.Answer.Refused refused when waits(refused, status, now) ->
                status.with(RUNNING, Condition.UNKNOWN, "Waiting", shortened(refused.reason()
                        + "; it is tried again for " + START_WITHIN.toMinutes() + " minutes"), now);
            case RunStarter.Answer.Refused refused ->
                notStarted(test, status, refused.code(), refused.reason(), now, events);
            case RunStarter.Answer.NotApplicable gone ->
                notStarted(test, status, gone.code(), gone.reason(), now, events);
        };
    }

    private static boolean waits(RunStarter.Answer.Refused refused, CapacityTestStatus status, Instant now) {
        return refused.again() && status.condition(RUNNING).filter(running -> running.reason().equals("Waiting"))
                .map(running -> now.isBefore(running.lastTransitionTime().plus(START_WITHIN))).orElse(true);
    }

    private static CapacityTestStatus notStarted(CapacityTest test, CapacityTestStatus status, String code,
            String reason, Instant now, List<ObjectEvent> events) {
        String message = shortened(reason + "; to try again, give " + CapacityTest.RUN_REQUEST + " another value");
        events.add(new ObjectEvent(true, "RunRefused", message, test.requestKey()));
        return status.requestAnswered(Objects.requireNonNull(test.runRequest()))
                .with(RUNNING, Condition.FALSE, word(code), message, now);
    }

    private static CapacityTestStatus withRuns(CapacityTest test, Known known, Instant now, List<ObjectEvent> events) {
        CapacityTestStatus before = test.status();
        StoredSeries series = known.series();
        if (series != null) {
            return withSeries(test, known, series, now, events);
        }
        if (known.runs().isEmpty()) {
            return notRunning(test, before.observed(test.generation(), CapacityTestStatus.NOT_RUN, null)
                    .with(MEASURED, Condition.UNKNOWN, "NotRun", "no run of it is over", now), now);
        }
        RunState newest = known.runs().getFirst().state();
        String id = newest.facts().runId();
        if (!id.equals(before.run())) {
            events.add(new ObjectEvent(false, "RunStarted", "run " + id + " of " + newest.facts().sut() + " of "
                    + newest.facts().service() + " was started", id));
        }
        CapacityTestStatus status = before.observed(test.generation(), newest.phase().wireName(), id);
        Optional<RunState.Finished> over = known.runs().stream().map(StoredRun::state)
                .filter(RunState.Finished.class::isInstance).map(RunState.Finished.class::cast).findFirst();
        if (over.isPresent()) {
            status = ended(before, status, over.get(), now, events);
        }
        return newest instanceof RunState.Finished
                ? notRunning(test, status, now)
                : status.with(RUNNING, Condition.TRUE, newest.phase().wireName(), newest.facts().awaitsApproval()
                        ? "run " + id + " waits for the approval of a second person"
                        : "run " + id + " is live", now);
    }

    /** A refusal of the newest request stays in the condition. */
    private static CapacityTestStatus notRunning(CapacityTest test, CapacityTestStatus status, Instant now) {
        return status.condition(RUNNING).filter(running -> running.status().equals(Condition.FALSE)
                || (running.status().equals(Condition.UNKNOWN) && test.asksForRun())).isPresent()
                        ? status
                        : status.with(RUNNING, Condition.FALSE, "NotRunning", "no run of it is live", now);
    }

    private static CapacityTestStatus ended(CapacityTestStatus before, CapacityTestStatus status,
            RunState.Finished end, Instant now, List<ObjectEvent> events) {
        RunEnd ending = end.ending();
        String id = end.facts().runId();
        String answer = shortened(Headline.of(end.facts(), ending));
        ExitCode code = ExitCode.of(end).orElseThrow();
        boolean answered = code != ExitCode.INCONCLUSIVE && code != ExitCode.ABORTED
                && ending.outcome() != RunOutcome.FAILED;
        CapacityTestStatus.Capacity capacity = code == ExitCode.ANSWERED || code == ExitCode.UNSAFE
                ? ending.capacity().map(found -> CapacityTestStatus.Capacity.of(found, ending.lowerBound()))
                        .orElse(null)
                : null;
        boolean seen = id.equals(before.run())
                ? before.phase().equals(RunPhase.FINISHED.wireName())
                : !id.equals(status.run());
        if (!seen) {
            events.add(new ObjectEvent(!answered || !end.safe(), "RunEnded", answer
                    + (end.restored().proven() ? "" : "; traffic is NOT known to be natural"), id));
        }
        String detail = shortened(ending.reason().detail());
        return status.answered(capacity, answered ? doubt(ending.certainty()) : "cannot be known: " + detail, answer)
                .with(MEASURED, answered ? Condition.TRUE : Condition.FALSE, word(ending.outcome().name()), detail,
                        now);
    }

    private static String doubt(Certainty certainty) {
        return switch (certainty.level()) {
            case SURE -> "sure";
            case DOUBTFUL -> certainty.words();
            case CANNOT_BE_KNOWN -> certainty.words().replaceFirst("^how sure ", "");
        };
    }

    private static CapacityTestStatus withSeries(CapacityTest test, Known known, StoredSeries series, Instant now,
            List<ObjectEvent> events) {
        CapacityTestStatus before = test.status();
        String id = series.id();
        if (!id.equals(before.run())) {
            events.add(new ObjectEvent(false, "SeriesStarted", "series " + id + " of " + series.service()
                    + " was started", id));
        }
        SeriesState.End end = series.state().end();
        if (end == null) {
            RunPhase phase = known.runs().stream().map(run -> run.state().phase())
                    .filter(live -> live != RunPhase.FINISHED).findFirst().orElse(RunPhase.PENDING);
            return before.observed(test.generation(), phase.wireName(), id)
                    .with(RUNNING, Condition.TRUE, "Series", "series " + id + " is live", now);
        }
        ExitCode code = SeriesExitCode.of(series.state()).orElseThrow();
        boolean answered = code == ExitCode.ANSWERED || code == ExitCode.THRESHOLD_FAILED;
        String answer = shortened(end.kind() == SeriesState.End.Kind.COMPLETED
                ? SeriesResult.of(series.state()).words()
                : end.reason());
        if (!id.equals(before.run()) || !before.phase().equals(RunPhase.FINISHED.wireName())) {
            events.add(new ObjectEvent(!answered, "SeriesEnded", answer, id));
        }
        return notRunning(test, before.observed(test.generation(), RunPhase.FINISHED.wireName(), id)
                .answered(null, "cannot be known: " + (answered ? "the checks are those of its runs" : answer), answer)
                .with(MEASURED, answered ? Condition.TRUE : Condition.FALSE, word(end.kind().name()), answer, now),
                now);
    }

    /** Returns a name such as {@code service-busy} or {@code CAPACITY_FOUND} as one word in camel case. */
    private static String word(String name) {
        StringBuilder word = new StringBuilder();
        for (String part : name.toLowerCase(Locale.ROOT).split("[-_]", -1)) {
            word.append(part.isEmpty() ? "" : Character.toUpperCase(part.charAt(0)) + part.substring(1));
        }
        return word.toString();
    }
}
