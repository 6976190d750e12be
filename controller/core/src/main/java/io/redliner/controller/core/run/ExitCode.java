// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The exit code that a finished run has for a pipeline. The API, its reports and the command line share this mapping. */
public enum ExitCode {

    /** The capacity is known, or the answer to the plan's question is yes. */
    ANSWERED(0),
    /** There is no answer; it is no finding against the service. */
    INCONCLUSIVE(98),
    /** The answer to the plan's question is no, or a guard was broken. */
    THRESHOLD_FAILED(99),
    /** No run was begun, because the plan cannot be read or carried out. */
    BAD_PLAN(104),
    /** Ended from outside: by people, the kill switch, a freeze, or the controller's end. */
    ABORTED(105),
    /**
     * There is an answer as with {@link #ANSWERED}, but more requests were harmed than allowed, or natural traffic was not
     * proven.
     */
    UNSAFE(106);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** Returns the number for the operating system. */
    public int code() {
        return code;
    }

    /** Returns the exit code of a run; empty while the run goes on. */
    public static Optional<ExitCode> of(RunState state) {
        return state instanceof RunState.Finished finished
                ? Optional.of(of(finished))
                : Optional.empty();
    }

    private static ExitCode of(RunState.Finished finished) {
        ExitCode code = of(finished.ending(), finished.facts().profile());
        return code == ANSWERED && !finished.safe() ? UNSAFE : code;
    }

    /** Returns the exit code of a run as a number; null while the run goes on. */
    public static @Nullable Integer numberOf(RunState state) {
        return of(state).map(ExitCode::code).orElse(null);
    }

    static ExitCode of(RunEnd ending, @Nullable StepPlan profile) {
        return switch (ending.outcome()) {
            case CAPACITY_FOUND, PASSED -> ANSWERED;
            // The SLA held at all loads that the traffic allowed. For a search that is a lower bound of the capacity; a plan that
            // wants a certain load has not reached it.
            case TRAFFIC_EXHAUSTED -> (profile != null && profile.steers()) || ending.capacity().isEmpty()
                    ? INCONCLUSIVE
                    : ANSWERED;
            case THRESHOLD_FAILED -> THRESHOLD_FAILED;
            case INCONCLUSIVE, FAILED -> INCONCLUSIVE;
            case ABORTED -> ofAborted(ending.reason().code());
        };
    }

    /** Returns the exit code of an aborted run. A broken guard is a finding, because guards belong to the plan. */
    public static ExitCode ofAborted(StopCode code) {
        return code == StopCode.GUARD_BREACHED ? THRESHOLD_FAILED : ABORTED;
    }
}
