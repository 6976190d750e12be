// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The life of a series as a pure function: no clock, no input or output. A member is started when the one before it is
 * over, never two at once. A run that failed or was aborted ends the series with the results so far; one without an answer
 * is left out. Several controllers may report the same event, so an event that comes again changes nothing.
 */
public final class SeriesDecider {

    /** Time for which a refused start is tried again; the service may be busy with another run. */
    private static final Duration START_TIMEOUT = Duration.ofHours(1);

    private static final int ATTEMPTS = 3;

    private SeriesDecider() {}

    /** Decides about an event of the series. */
    public static SeriesDecision decide(SeriesState state, SeriesEvent event, Instant now) {
        if (state.end() != null) {
            return over(state, event);
        }
        return switch (event) {
            case SeriesEvent.Looked ignored -> looked(state, now);
            case SeriesEvent.Started started -> started(state, started);
            case SeriesEvent.Refused refused -> refused(state, refused, now);
            case SeriesEvent.RunEnded ended -> runEnded(state, ended, now);
            case SeriesEvent.AbortRequested abort -> looked(
                    state.abortReason() == null ? state.aborting(abort.reason()) : state, now);
        };
    }

    /** Decides about an event of a series that is over. A run that was accepted while the series ended is aborted. */
    private static SeriesDecision over(SeriesState state, SeriesEvent event) {
        return event instanceof SeriesEvent.Started started && state.members().stream()
                .noneMatch(member -> started.runId().equals(member.runId()))
                        ? SeriesDecision.of(state, new SeriesDecision.Command.Abort(started.runId(),
                                "its series is over"))
                        : SeriesDecision.of(state);
    }

    private static SeriesDecision looked(SeriesState state, Instant now) {
        Optional<SeriesState.Member> live = state.live();
        String abort = state.abortReason();
        if (abort != null) {
            return live
                    .map(member -> SeriesDecision.of(state, (SeriesDecision.Command) new SeriesDecision.Command.Abort(
                            String.valueOf(member.runId()), abort)))
                    .orElseGet(() -> SeriesDecision.of(state.ended(SeriesState.End.Kind.ABORTED, abort, now)));
        }
        if (live.isPresent()) {
            return SeriesDecision.of(state);
        }
        return state.next()
                .map(member -> SeriesDecision.of(state,
                        (SeriesDecision.Command) new SeriesDecision.Command.Start(member)))
                .orElseGet(() -> SeriesDecision.of(state.ended(SeriesState.End.Kind.COMPLETED,
                        "all " + state.members().size() + " runs are over", now)));
    }

    /** Notes that a member's run was accepted. If the series is to be aborted, the run is ended at the next {@code Looked}. */
    private static SeriesDecision started(SeriesState state, SeriesEvent.Started started) {
        SeriesState.Member member = state.members().get(started.number() - 1);
        boolean due = state.live().isEmpty() && state.next().filter(member::equals).isPresent()
                && member.attempt() == started.attempt();
        return SeriesDecision.of(due ? state.with(member.started(started.runId())) : state);
    }

    private static SeriesDecision refused(SeriesState state, SeriesEvent.Refused refused, Instant now) {
        boolean due = state.live().isEmpty()
                && state.next().filter(member -> member.number() == refused.number()).isPresent();
        if (!due) {
            return SeriesDecision.of(state);
        }
        Instant since = state.waitingSince() == null ? now : state.waitingSince();
        if (refused.later() && now.isBefore(since.plus(START_TIMEOUT))) {
            return SeriesDecision.of(state.waiting(now));
        }
        return SeriesDecision.of(state.ended(SeriesState.End.Kind.FAILED,
                "run " + refused.number() + " of " + state.members().size() + " could not be started: "
                        + refused.reason(),
                now));
    }

    private static SeriesDecision runEnded(SeriesState state, SeriesEvent.RunEnded ended, Instant now) {
        SeriesState.Member member = state.members().get(ended.number() - 1);
        if (!member.live()) {
            return SeriesDecision.of(state);
        }
        SeriesState.Result result = ended.result();
        if (result.again() && member.attempt() < ATTEMPTS && state.abortReason() == null) {
            return looked(state.with(member.again()), now);
        }
        SeriesState next = state.with(member.ended(result));
        String which = "run " + member.number() + " of " + state.members().size();
        return switch (result.outcome()) {
            case FAILED -> SeriesDecision.of(next.ended(SeriesState.End.Kind.FAILED,
                    which + " failed: " + result.reason(), now));
            case ABORTED -> SeriesDecision.of(next.ended(SeriesState.End.Kind.ABORTED,
                    which + " was aborted: " + result.reason(), now));
            case CAPACITY_FOUND, TRAFFIC_EXHAUSTED, PASSED, THRESHOLD_FAILED, INCONCLUSIVE -> looked(next, now);
        };
    }

    /**
     * The decision of a series about an event.
     *
     * @param command to be carried out after the state is stored; carrying it out twice does no harm
     */
    public record SeriesDecision(SeriesState state, Optional<Command> command) {

        /** An action that follows a decision. */
        public sealed interface Command {

            /** Start a member's run, or find out that it was started. */
            record Start(SeriesState.Member member) implements Command {}

            /** End a member's run. */
            record Abort(String runId, String reason) implements Command {}
        }

        public static SeriesDecision of(SeriesState state) {
            return new SeriesDecision(state, Optional.empty());
        }

        public static SeriesDecision of(SeriesState state, Command command) {
            return new SeriesDecision(state, Optional.of(command));
        }
    }

    /** An event in the life of a series. */
    public sealed interface SeriesEvent {

        /** A controller checks the series for the next step. */
        record Looked() implements SeriesEvent {}

        /** A member's run was accepted; the event may arrive more than once. */
        record Started(int number, int attempt, String runId) implements SeriesEvent {}

        /**
         * A member's run was refused.
         *
         * @param later true when it may be accepted later
         */
        record Refused(int number, String reason, boolean later) implements SeriesEvent {}

        /** A member's run is over. */
        record RunEnded(int number, SeriesState.Result result) implements SeriesEvent {}

        /** A user asks to end it. */
        record AbortRequested(String reason) implements SeriesEvent {}
    }
}
