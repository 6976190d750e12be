// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.series.Measurement;
import io.redliner.controller.core.series.SeriesExitCode;
import io.redliner.controller.core.series.SeriesResult;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A series of runs.
 *
 * @param phase {@code Running} or {@code Finished}
 * @param outcome {@code COMPLETED}, {@code ABORTED} or {@code FAILED}; absent while it goes on
 * @param result of the members that are over
 * @param choices of the sides that the plan does not name
 * @param exitCode see {@link io.redliner.controller.core.run.ExitCode}; absent while it goes on
 * @param notes what the author of its plan should know; absent in lists
 */
record SeriesView(String id, String profile, String service, String plan, String planHash, String phase,
        @Nullable String outcome, @Nullable String reason, Instant createdAt, @Nullable Instant finishedAt,
        List<MemberView> members, SeriesResult result, List<SutSelectionView> choices, @Nullable Integer exitCode,
        @Nullable List<String> notes) {

    /**
     * One run of the series.
     *
     * @param value requests/s of a capacity, seconds of a latency
     * @param error standard error of it
     */
    record MemberView(int number, String label, String instance, @Nullable Double size, @Nullable String runId,
            @Nullable String outcome, @Nullable String reason, @Nullable Double value, @Nullable Double error) {

        static MemberView of(SeriesState.Member member) {
            SeriesState.Result result = member.result();
            Measurement measurement = result == null ? null : result.measurement();
            return new MemberView(member.number(), member.label(), member.instance(),
                    member.size() > 0 ? member.size() : null, member.runId(),
                    result == null ? null : result.outcome().name(), result == null ? null : result.reason(),
                    measurement == null ? null : measurement.value(), measurement == null ? null : measurement.error());
        }
    }

    /** Returns a series in a list. */
    static SeriesView of(StoredSeries series) {
        return of(series, null);
    }

    static SeriesView of(StoredSeries series, @Nullable List<String> notes) {
        SeriesState state = series.state();
        SeriesState.End end = state.end();
        return new SeriesView(series.id(), state.profile().name().toLowerCase(Locale.ROOT), series.service(),
                series.plan().name(), series.plan().hash(), end == null ? "Running" : "Finished",
                end == null ? null : end.kind().name(),
                end == null ? state.abortReason() : end.reason(), series.createdAt(), series.finishedAt(),
                state.members().stream().map(MemberView::of).toList(), SeriesResult.of(state),
                SutSelectionView.of(state.sides()), SeriesExitCode.numberOf(state), notes);
    }
}
