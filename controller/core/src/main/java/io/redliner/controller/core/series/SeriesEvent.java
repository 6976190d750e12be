// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

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
