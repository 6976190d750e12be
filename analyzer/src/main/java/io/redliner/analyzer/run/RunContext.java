// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.search.SearchGoal;
import java.time.Duration;
import java.util.Set;

/**
 * The controller's description of a run.
 *
 * @param service name of the tested service
 * @param runId id of the run
 * @param epoch fencing number: of two runs on a service, the one with the higher epoch is valid
 * @param stage stage of the run in the controller
 * @param criteria rules and guards that windows are judged by
 * @param windowLength length of a window, positive
 * @param naturalShare part of the service's requests that the SUT receives without a test, 0 to 1
 * @param largestShare largest part that the run may give the SUT, above 0 to 1
 * @param startedAtMillis start of the run, ms since 1970
 * @param turnsBackAtMillis latest time at which traffic is restored, ms since 1970; 0 when not set
 * @param judgedOnly true when the controller follows a plan of its own and nothing is searched
 * @param goal how narrow an interval the plan asks for, and what earlier runs found
 * @param fleet the addresses of the service's instances: requests to others are no part of the test; empty when not known
 */
public record RunContext(String service, String runId, long epoch, Stage stage, SlaSpec criteria,
        Duration windowLength, double naturalShare, double largestShare, long startedAtMillis,
        long turnsBackAtMillis, boolean judgedOnly, SearchGoal goal, Set<String> fleet) {

    /** The stage of a run in the controller. */
    public enum Stage {
        /** No traffic is moved and no search runs yet. */
        WAITING,
        /** The search measures its baseline. */
        BASELINE,
        /** The controller follows the advice of the search. */
        FOLLOWING,
        /** A person has asked to hold the load. */
        PAUSED,
        /** The share returns to natural. */
        RESTORING,
        /** The run is over and gets no more verdicts. */
        FINISHED
    }

    /** Creates the description of a run that follows the search, without a deadline and with an unknown fleet. */
    public RunContext(String service, String runId, long epoch, Stage stage, SlaSpec criteria,
            Duration windowLength, double naturalShare, double largestShare,
            long startedAtMillis) {
        this(service, runId, epoch, stage, criteria, windowLength, naturalShare, largestShare,
                startedAtMillis, 0, false, SearchGoal.NONE, Set.of());
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

    /** Takes the fleet from the record before when it is unknown here, as after a takeover by another controller. */
    RunContext after(RunContext before) {
        return fleet.isEmpty()
                ? new RunContext(service, runId, epoch, stage, criteria, windowLength, naturalShare, largestShare,
                        startedAtMillis, turnsBackAtMillis, judgedOnly, goal, before.fleet)
                : this;
    }

    /** Returns true when the later record is of the same run, in this epoch or in one after a takeover. */
    public boolean isContinuedBy(RunContext later) {
        return runId.equals(later.runId) && epoch <= later.epoch;
    }

    /** Returns the seconds from this time until traffic is restored at the latest; infinite without a deadline. */
    double secondsLeft(long atMillis) {
        return turnsBackAtMillis == 0 ? Double.POSITIVE_INFINITY : (turnsBackAtMillis - atMillis) / 1e3;
    }

    /** Returns true while a search is under way. */
    public boolean searched() {
        return stage == Stage.BASELINE || stage == Stage.FOLLOWING || stage == Stage.PAUSED;
    }

    /** Returns true while the controller waits for verdicts. */
    public boolean live() {
        return stage != Stage.FINISHED;
    }
}
