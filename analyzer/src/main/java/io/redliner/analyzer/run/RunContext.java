// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.evaluation.SlaSpec;
import java.time.Duration;
import java.util.Set;

/**
 * What the controller says of a run.
 *
 * @param service that is tested
 * @param runId of the run
 * @param epoch fences: of two runs on a service the one with the higher epoch is meant
 * @param stage how far the controller is
 * @param criteria what windows are judged by
 * @param windowLength positive
 * @param naturalShare of the service's requests that the SUT receives when nobody tests, 0 to 1
 * @param largestShare that the run may give it, 0 to 1
 * @param startedAtMillis since the epoch
 * @param turnsBackAtMillis since the epoch: when traffic goes back whatever is known by then; 0 when nobody said
 * @param judgedOnly whether the controller follows a plan of its own: nothing is searched
 * @param fleet the addresses of the service's instances: requests to others are no part of the test; empty when not known
 */
public record RunContext(String service, String runId, long epoch, Stage stage, SlaSpec criteria,
        Duration windowLength, double naturalShare, double largestShare, long startedAtMillis,
        long turnsBackAtMillis, boolean judgedOnly, Set<String> fleet) {

    /** How far the controller is. */
    public enum Stage {
        /** Nothing is moved yet, and nothing is searched. */
        WAITING,
        /** The search is to take its baseline. */
        BASELINE,
        /** The search's advice is followed. */
        FOLLOWING,
        /** A person wants the load to stay. */
        PAUSED,
        /** The share goes back to natural. */
        RESTORING,
        /** Nothing is said any more. */
        FINISHED
    }

    /** Of a run that follows the search. */
    public RunContext(String service, String runId, long epoch, Stage stage, SlaSpec criteria,
            Duration windowLength, double naturalShare, double largestShare,
            long startedAtMillis) {
        this(service, runId, epoch, stage, criteria, windowLength, naturalShare, largestShare,
                startedAtMillis, 0, false, Set.of());
    }

    public RunContext {
        fleet = Set.copyOf(fleet);
        if (windowLength.toMillis() <= 0) {
            throw new IllegalArgumentException("run " + runId + " has windows of " + windowLength);
        }
        if (naturalShare < 0 || naturalShare > 1 || largestShare <= 0 || largestShare > 1) {
            throw new IllegalArgumentException("run " + runId + " has a natural share of " + naturalShare
                    + " and a largest share of " + largestShare);
        }
    }

    /** A controller that has just taken the run over may not know the fleet yet. */
    RunContext after(RunContext before) {
        return fleet.isEmpty()
                ? new RunContext(service, runId, epoch, stage, criteria, windowLength, naturalShare, largestShare,
                        startedAtMillis, turnsBackAtMillis, judgedOnly, before.fleet)
                : this;
    }

    /** Whether that is the same execution, here or in a controller that has taken it over. */
    public boolean isContinuedBy(RunContext later) {
        return runId.equals(later.runId) && epoch <= later.epoch;
    }

    /** Seconds from this time until traffic goes back whatever is known; infinite when nobody said. */
    double secondsLeft(long atMillis) {
        return turnsBackAtMillis == 0 ? Double.POSITIVE_INFINITY : (turnsBackAtMillis - atMillis) / 1e3;
    }

    /** Whether a search is under way. */
    public boolean searched() {
        return stage == Stage.BASELINE || stage == Stage.FOLLOWING || stage == Stage.PAUSED;
    }

    /** Whether verdicts are awaited. */
    public boolean live() {
        return stage != Stage.FINISHED;
    }
}
