// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

/** What happens to a series. */
public sealed interface SeriesEvent {

    /** Somebody looks at it. */
    record Looked() implements SeriesEvent {}

    /** A member's run was accepted; the event may arrive more than once. */
    record Started(int number, int attempt, String runId) implements SeriesEvent {}

    /**
     * A member's run was refused.
     *
     * @param later whether it may be accepted later
     */
    record Refused(int number, String reason, boolean later) implements SeriesEvent {}

    /** A member's run is over. */
    record RunEnded(int number, SeriesState.Result result) implements SeriesEvent {}

    /** Somebody asks to end it. */
    record AbortRequested(String reason) implements SeriesEvent {}
}
