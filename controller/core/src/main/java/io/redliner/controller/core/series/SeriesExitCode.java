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

    /** Empty while it goes on. What a series that did not come to its end says so far is no answer. */
    public static Optional<ExitCode> of(SeriesState state) {
        SeriesState.End end = state.end();
        return end == null ? Optional.empty() : Optional.of(switch (end.kind()) {
            case COMPLETED -> ofVerdict(SeriesResult.of(state).verdict());
            case ABORTED -> ofAborted(state);
            case FAILED -> ExitCode.INCONCLUSIVE;
        });
    }

    /** The number, for those who write it down; null while it goes on. */
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

    /** Of a series that a user ended, or that an aborted run ended: then the exit code is that of the run. */
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
