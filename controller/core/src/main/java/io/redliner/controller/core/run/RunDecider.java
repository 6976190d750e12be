// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The life of a run as a pure function: no clock, no input or output.
 *
 * <pre>
 * Pending    --Submitted, Approved----------------------------&gt; Preparing
 * Preparing  --lease applied, SUT and peers seen and healthy---&gt; Baseline
 * Baseline   --search ramps or confirms------------------------&gt; Ramping, Confirming
 * Ramping    --search confirms---------------------------------&gt; Confirming
 * Confirming --search ramps again------------------------------&gt; Ramping
 * Baseline, Ramping, Confirming
 *            --pause-------------------------------------------&gt; Paused
 * Paused     --resume------------------------------------------&gt; where it was
 * Baseline, Ramping, Confirming
 *            --done, exhausted, gave up------------------------&gt; Restoring
 * Preparing, Baseline, Ramping, Confirming, Paused
 *            --abort, halt, guard, lost telemetry, lost lease, bound-&gt; Restoring
 * Restoring  --all proxies natural and share read back, or deadline-&gt; Finished
 * Pending    --abort, halt, takeover, not begun in time--------&gt; Finished
 * </pre>
 *
 * Everything else throws {@link IllegalTransitionException}.
 */
public final class RunDecider {

    private RunDecider() {}

    /**
     * Decides about an event of the run.
     *
     * @throws IllegalTransitionException when the event cannot happen in this state
     */
    public static RunDecision decide(RunState state, RunEvent event, Instant now) {
        return switch (state) {
            case RunState.Pending pending -> pending(pending, event, now);
            case RunState.Preparing preparing -> PreparingDecider.decide(preparing, event, now);
            case RunState.Searching searching -> SearchingDecider.decide(searching, event, now);
            case RunState.Restoring restoring -> RestoringDecider.decide(restoring, event, now);
            case RunState.Finished finished -> throw new IllegalTransitionException(finished, event);
        };
    }

    private static RunDecision pending(RunState.Pending pending, RunEvent event, Instant now) {
        return switch (event) {
            case RunEvent.Submitted submitted -> submitted(pending, submitted, now);
            case RunEvent.Approved approved -> approved(pending, approved, now);
            case RunEvent.ClockJumped ignored -> RunDecision.of(pending);
            case RunEvent.NotDelivered impossible -> throw new IllegalTransitionException(pending, impossible);
            case RunEvent.Ending ending -> untouched(pending, StopConditions.requested(ending), now);
            case RunEvent.TakenOver takenOver -> untouched(
                    new RunState.Pending(pending.facts().withEpoch(takenOver.epoch())), StopConditions.controllerLost(),
                    now);
            case RunEvent.PauseRequested ignored -> RunDecision.of(pending);
            case RunEvent.ResumeRequested ignored -> RunDecision.of(pending);
            case RunEvent.LeaseStatusArrived ignored -> RunDecision.of(pending);
            case RunEvent.VerdictArrived ignored -> RunDecision.of(pending);
            case RunEvent.Tick ignored -> overdue(pending, now);
        };
    }

    /** Ends a run that was not begun or approved in time, because it keeps its service from other runs. */
    private static RunDecision overdue(RunState.Pending pending, Instant now) {
        RunFacts facts = pending.facts();
        StartConditions.Approval approval = facts.clearance().approval();
        Duration longest = approval == null ? facts.times().preparation() : approval.within();
        if (now.isBefore(facts.submittedAt().plus(longest))) {
            return RunDecision.of(pending);
        }
        String within = " within " + DurationText.write(longest) + " of its submission";
        return untouched(pending, approval == null
                ? RunEnd.of(RunOutcome.FAILED, StopCode.PREPARATION_TIMEOUT, "the run was not begun" + within)
                : RunEnd.of(RunOutcome.ABORTED, StopCode.NOT_APPROVED, "the run was not approved" + within), now);
    }

    private static RunDecision submitted(RunState.Pending pending, RunEvent.Submitted submitted, Instant now) {
        if (pending.facts().awaitsApproval()) {
            throw new IllegalTransitionException(pending, submitted);
        }
        return begin(pending.facts(), submitted.redirectors(), now);
    }

    private static RunDecision approved(RunState.Pending pending, RunEvent.Approved approved, Instant now) {
        StartConditions.Approval approval = pending.facts().clearance().approval();
        if (approval == null || !approval.mayCome(approved.by())) {
            throw new IllegalTransitionException(pending, approved);
        }
        return begin(pending.facts().approved(approved, now), approved.redirectors(), now);
    }

    private static RunDecision begin(RunFacts facts, List<String> redirectors, Instant now) {
        RunProgress progress = RunProgress.begin(facts, Redirectors.alive(redirectors, now), now);
        return RunDecision.of(
                new RunState.Preparing(facts, progress, now.plus(facts.times().preparation()), Preflight.NONE),
                new RunCommand.PublishRun(RunPhase.PREPARING), new RunCommand.SendLease(progress.lease().newest()));
    }

    private static RunDecision untouched(RunState.Pending pending, RunEnd ending, Instant now) {
        RestoreProof nothing = new RestoreProof(RestoreProof.Proof.NOT_NEEDED, Duration.ZERO, "no traffic was moved");
        return RunDecision.of(new RunState.Finished(pending.facts(), ending, nothing, HarmDone.NONE,
                Milestones.NONE, null, now), new RunCommand.PublishRun(RunPhase.FINISHED));
    }

    /** Releases the lease and begins to restore natural traffic, from every state that has a lease out. */
    static RunDecision restore(RunState.Leased state, RunProgress progress, RunEnd ending, Instant now) {
        return restore(state.facts(), progress, ending, now);
    }

    /** Returns the state with other facts: a controller that takes a run over has a higher epoch. */
    static RunDecision restore(RunFacts facts, RunProgress progress, RunEnd ending, Instant now) {
        LeaseHistory released = progress.lease().release(facts, now);
        RunProgress back = progress.with(released).with((Step) null);
        Instant deadline = now.plus(facts.times().leaseTtl()).plus(facts.times().restoreMargin());
        List<RunCommand> commands = new ArrayList<>();
        commands.add(new RunCommand.SendLease(released.newest()));
        commands.add(new RunCommand.PublishRun(RunPhase.RESTORING));
        if (progress.step() != null) {
            commands.add(new RunCommand.RecordStep(progress.step().endedAt(now)));
        }
        return new RunDecision(
                new RunState.Restoring(facts, StepPlanDecider.reported(facts, progress, ending), back, now,
                        released.newest().sequence(), deadline, RestoreVerification.NONE),
                commands);
    }
}
