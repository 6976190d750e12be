// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import java.util.List;

/** What happens to a run. */
public sealed interface RunEvent {

    /**
     * It is to begin.
     *
     * @param redirectors those that were alive when it was submitted
     */
    record Submitted(List<String> redirectors) implements RunEvent {

        public Submitted {
            redirectors = List.copyOf(redirectors);
        }
    }

    /** A window was judged. */
    record VerdictArrived(WindowVerdict verdict) implements RunEvent {}

    /** A redirector said something of the service. */
    record LeaseStatusArrived(RedirectorReport report) implements RunEvent {}

    /** Time passed. */
    record Tick() implements RunEvent {}

    /** Somebody asked to end it. */
    record AbortRequested(String reason) implements RunEvent {}

    /** A record could not be delivered to Kafka. */
    record NotDelivered(String what, String reason) implements RunEvent {}

    /** This controller is about to stop. */
    record ControllerStopping() implements RunEvent {}

    /**
     * A controller found the run in the database and does not know what happened since.
     *
     * @param epoch higher than every earlier one: whoever drove the run before is fenced out
     */
    record ControllerRestarted(long epoch) implements RunEvent {}
}
