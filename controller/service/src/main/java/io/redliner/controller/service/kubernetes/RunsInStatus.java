// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.Headline;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.series.SeriesExitCode;
import io.redliner.controller.core.series.SeriesResult;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.Known;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.ObjectEvent;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Shows the runs of a CapacityTest in its status. An answer counts only while the spec is the one that was measured. */
final class RunsInStatus {

    static final String RUNNING = "Running";

    private static final String MEASURED = "Measured";

    /** Kubernetes takes 32 768 characters. */
    private static final int MAX_MESSAGE = 1_000;

    private final CapacityTest test;

    private final Known known;

    private final String hash;

    private final Instant now;

    private final List<ObjectEvent> events;

    /**
     * Takes the object and its runs.
     *
     * @param hash of the plan that the object is now; empty when it is none
     * @param events get what became of the runs
     */
    RunsInStatus(CapacityTest test, Known known, String hash, Instant now, List<ObjectEvent> events) {
        this.test = test;
        this.known = known;
        this.hash = hash;
        this.now = now;
        this.events = events;
    }

    static String shortened(String message) {
        return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 3) + "...";
    }

    /** Returns the status with the newest run or series. */
    CapacityTestStatus status() {
        CapacityTestStatus before = test.status();
        StoredSeries series = known.series();
        Set<String> members = series == null
                ? Set.of()
                : series.state().members().stream().map(SeriesState.Member::runId).filter(Objects::nonNull)
                        .collect(Collectors.toSet());
        List<StoredRun> runs = known.runs().stream().filter(run -> !members.contains(run.id())).toList();
        if (series != null && isNewest(series, runs)) {
            return withSeries(series);
        }
        if (runs.isEmpty()) {
            return notRunning(before.observed(test.generation(), CapacityTestStatus.NOT_RUN, null)
                    .with(MEASURED, Condition.UNKNOWN, "NotRun", "no run of it is over", now));
        }
        RunState newest = runs.getFirst().state();
        String id = newest.facts().runId();
        if (!id.equals(before.run())) {
            events.add(new ObjectEvent(false, "RunStarted", "run " + id + " of " + newest.facts().sut() + " of "
                    + newest.facts().service() + " was started", id));
        }
        CapacityTestStatus status = before.observed(test.generation(), newest.phase().wireName(), id);
        for (StoredRun run : runs) {
            if (run.state() instanceof RunState.Finished over) {
                status = ended(status, over, run.plan().hash().equals(hash));
                break;
            }
        }
        return newest instanceof RunState.Finished
                ? notRunning(status)
                : status.with(RUNNING, Condition.TRUE, newest.phase().wireName(), newest.facts().awaitsApproval()
                        ? "run " + id + " waits for the approval of a second person"
                        : "run " + id + " is live", now);
    }

    private static boolean isNewest(StoredSeries series, List<StoredRun> runs) {
        Instant end = series.finishedAt();
        return end == null || runs.isEmpty() || runs.getFirst().submittedAt().isBefore(end);
    }

    private CapacityTestStatus notRunning(CapacityTestStatus status) {
        return status.with(RUNNING, Condition.FALSE, "NotRunning", "no run of it is live", now);
    }

    private CapacityTestStatus ofAnotherSpec(CapacityTestStatus status, String id) {
        String words = id + " tested another spec than that of now";
        return status.answered(null, "cannot be known: " + words, "no answer: " + words)
                .with(MEASURED, Condition.UNKNOWN, "SpecChanged", words, now);
    }

    private CapacityTestStatus ended(CapacityTestStatus status, RunState.Finished end, boolean ofSpec) {
        CapacityTestStatus before = test.status();
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
        if (!ofSpec) {
            return ofAnotherSpec(status, "run " + id);
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

    private CapacityTestStatus withSeries(StoredSeries series) {
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
        CapacityTestStatus status = notRunning(before.observed(test.generation(), RunPhase.FINISHED.wireName(), id));
        return !series.plan().hash().equals(hash)
                ? ofAnotherSpec(status, "series " + id)
                : status.answered(null,
                        "cannot be known: " + (answered ? "the checks are those of its runs" : answer), answer)
                        .with(MEASURED, answered ? Condition.TRUE : Condition.FALSE, word(end.kind().name()), answer,
                                now);
    }

    /** Returns a name such as {@code service-busy} or {@code CAPACITY_FOUND} as one word in camel case. */
    static String word(String name) {
        StringBuilder word = new StringBuilder();
        for (String part : name.toLowerCase(Locale.ROOT).split("[-_]", -1)) {
            word.append(part.isEmpty() ? "" : Character.toUpperCase(part.charAt(0)) + part.substring(1));
        }
        return word.toString();
    }
}
