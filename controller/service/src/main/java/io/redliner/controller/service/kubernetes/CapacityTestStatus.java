// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.plan.NumberText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The status of a CapacityTest.
 *
 * @param phase of the newest run; {@code Refused} and {@code NotRun} without one
 * @param run id of the newest run, or of the newest series
 * @param runRequest the newest value of the annotation that was answered
 * @param capacity of the newest run that is over; absent when it found none
 * @param doubt how far the newest answer can be believed, with the reason; absent before the first
 * @param answer of the newest run that is over, in one sentence
 */
record CapacityTestStatus(long observedGeneration, String phase, @Nullable String run, @Nullable String runRequest,
        @Nullable Capacity capacity, @Nullable String doubt, @Nullable String answer, List<Condition> conditions) {

    static final String REFUSED = "Refused";

    static final String NOT_RUN = "NotRun";

    /** The status of a new object. */
    static final CapacityTestStatus NONE = new CapacityTestStatus(0, "", null, null, null, null, null, List.of());

    CapacityTestStatus {
        phase = phase == null ? "" : phase;
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /**
     * A capacity, in requests/s.
     *
     * @param requestsPerSecond of a lower bound the lower end of its interval
     * @param low lower end of the interval; absent of a lower bound
     * @param high upper end of the interval; absent of a lower bound, and when it is not known
     * @param atLeast true when no load broke the SLA, so that the capacity is a lower bound
     * @param text for people, with the unit
     * @param interval for people
     */
    record Capacity(double requestsPerSecond, @Nullable Double low, @Nullable Double high, boolean atLeast,
            String text, String interval) {

        static Capacity of(CapacityEstimate estimate, boolean lowerBound) {
            if (lowerBound) {
                String least = NumberText.round(estimate.low());
                return new Capacity(estimate.low(), null, null, true, "at least " + least + "/s",
                        "from " + least + " on");
            }
            String rate = NumberText.round(estimate.capacity());
            Double high = estimate.high() > 0 ? estimate.high() : null;
            return new Capacity(estimate.capacity(), estimate.low(), high, false, rate + "/s",
                    NumberText.round(estimate.low()) + " to " + (high == null ? "unknown" : NumberText.round(high)));
        }
    }

    Optional<Condition> condition(String type) {
        return Condition.find(conditions, type);
    }

    CapacityTestStatus with(String type, String status, String reason, String message, Instant now) {
        return new CapacityTestStatus(observedGeneration, phase, run, runRequest, capacity, doubt, answer,
                Condition.replace(conditions, new Condition(type, status, reason, message, now, observedGeneration)));
    }

    CapacityTestStatus observed(long generation, String newPhase, @Nullable String newRun) {
        return new CapacityTestStatus(generation, newPhase, newRun, runRequest, capacity, doubt, answer, conditions);
    }

    CapacityTestStatus answered(@Nullable Capacity newCapacity, String newDoubt, String newAnswer) {
        return new CapacityTestStatus(observedGeneration, phase, run, runRequest, newCapacity, newDoubt, newAnswer,
                conditions);
    }

    CapacityTestStatus requestAnswered(String request) {
        return new CapacityTestStatus(observedGeneration, phase, run, request, capacity, doubt, answer, conditions);
    }
}
