// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.StopCode;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The exit code that a series has for a pipeline. */
public final class SeriesExitCode {

    private SeriesExitCode() {}

    /** Returns the exit code; empty while the series goes on. A series that did not complete has no answer. */
    public static Optional<ExitCode> of(SeriesState state) {
        SeriesState.End end = state.end();
        return end == null ? Optional.empty() : Optional.of(switch (end.kind()) {
            case COMPLETED -> ofVerdict(SeriesResult.of(state).verdict());
            case ABORTED -> ofAborted(state);
            case FAILED -> ExitCode.INCONCLUSIVE;
        });
    }

    /** Returns the exit code as a number; null while the series goes on. */
    public static @Nullable Integer numberOf(SeriesState state) {
        return of(state).map(ExitCode::code).orElse(null);
    }

    private static ExitCode ofVerdict(String verdict) {
        return switch (verdict) {
            case SeriesResult.WORSE -> ExitCode.THRESHOLD_FAILED;
            case SeriesResult.INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
            default -> ExitCode.ANSWERED;
        };
    }

    /** Returns the exit code of an aborted series; that of the run when an aborted run ended the series. */
    private static ExitCode ofAborted(SeriesState state) {
        Optional<StopCode> code = state.members()
                .stream()
                .map(SeriesState.Member::result)
                .filter(Objects::nonNull)
                .filter(result -> result.outcome() == RunOutcome.ABORTED)
                .map(SeriesState.Result::code)
                .filter(Objects::nonNull)
                .findFirst();
        return state.abortReason() != null || code.isEmpty() ? ExitCode.ABORTED : ExitCode.ofAborted(code.get());
    }
}
