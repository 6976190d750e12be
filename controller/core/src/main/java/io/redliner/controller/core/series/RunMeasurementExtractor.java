// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.ProfileFindings;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.StopCode;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Extracts the measurement of a finished run: a capacity with its interval, or the mean p99 of the windows with its error. */
public final class RunMeasurementExtractor {

    private static final String LATENCY = "latency.p99";

    private static final Set<StopCode> RESTARTS = EnumSet.of(StopCode.CONTROLLER_STOPPED, StopCode.CONTROLLER_LOST);

    private RunMeasurementExtractor() {}

    /** Returns the result of a run; empty while the run is live. */
    public static Optional<SeriesState.Result> of(StoredRun run) {
        return run.state() instanceof RunState.Finished finished
                ? Optional.of(new SeriesState.Result(finished.ending().outcome(),
                        finished.ending().reason().detail(), measurement(finished.ending()),
                        RESTARTS.contains(finished.ending().reason().code()),
                        finished.ending().reason().code()))
                : Optional.empty();
    }

    private static @Nullable Measurement measurement(RunEnd ending) {
        try {
            return switch (ending.outcome()) {
                case CAPACITY_FOUND -> capacity(ending.estimate());
                case PASSED -> latency(ending.findings());
                case TRAFFIC_EXHAUSTED, THRESHOLD_FAILED, INCONCLUSIVE, ABORTED, FAILED -> null;
            };
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    private static @Nullable Measurement capacity(@Nullable CapacityEstimate estimate) {
        return estimate == null
                ? null
                : Measurement.ofInterval(estimate.capacity(), estimate.low(), estimate.high());
    }

    private static @Nullable Measurement latency(@Nullable ProfileFindings findings) {
        if (findings == null) {
            return null;
        }
        return findings.figure(LATENCY)
                .flatMap(mean -> findings.figure(LATENCY + ".error")
                        .map(error -> new Measurement(mean.value(), Math.max(error.value(), 1e-6 * mean.value()))))
                .orElse(null);
    }
}
