// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.stepplan.StepPlanProgress;
import io.redliner.controller.plan.Ppm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run that moves traffic keeps track of.
 *
 * @param lease what was asked for
 * @param redirectors who has followed
 * @param telemetry what is known, and how well
 * @param harm what it cost
 * @param audit whether the share that arrives is the one that was asked for
 * @param step the step under way; absent before the first
 * @param progress of the run's step plan; absent without one, and before its first window
 */
public record RunProgress(LeaseHistory lease, Redirectors redirectors, TelemetryStatus telemetry, Harm harm,
        ShareDeviationCheck audit,
        @Nullable Step step, Milestones milestones, @Nullable StepPlanProgress progress) {

    static RunProgress begin(RunFacts facts, Redirectors redirectors, Instant now) {
        return new RunProgress(LeaseHistory.open(facts, now), redirectors, TelemetryStatus.NONE, Harm.NONE,
                ShareDeviationCheck.CLEAN, null,
                Milestones.NONE, null);
    }

    /** The share asked for now. */
    public Ppm share() {
        return lease.share();
    }

    RunProgress with(LeaseHistory newLease) {
        return new RunProgress(newLease, redirectors, telemetry, harm, audit, step, milestones, progress);
    }

    RunProgress with(Redirectors newRedirectors, RunFacts facts, Instant now) {
        long applied = newRedirectors.applied(facts.times().redirectorSilence(), now);
        return new RunProgress(lease.acknowledged(applied), newRedirectors, telemetry, harm, audit, step, milestones,
                progress);
    }

    /** With what redirectors reported to another. */
    RunProgress withReportsOf(RunProgress other) {
        return new RunProgress(new LeaseHistory(lease.newest(), other.lease.waiting(), lease.shares()),
                other.redirectors, telemetry, harm, audit, step, milestones, progress);
    }

    RunProgress with(Harm newHarm) {
        return new RunProgress(lease, redirectors, telemetry, newHarm, audit, step, milestones, progress);
    }

    RunProgress with(@Nullable Step newStep) {
        return new RunProgress(lease, redirectors, telemetry, harm, audit, newStep, milestones, progress);
    }

    RunProgress with(@Nullable StepPlanProgress newProgress) {
        return new RunProgress(lease, redirectors, telemetry, harm, audit, step, milestones, newProgress);
    }

    /** After a takeover; the new controller has received a fresh verdict without a finding. */
    RunProgress afterTakeover(@Nullable Instant verdictAt) {
        return new RunProgress(lease, redirectors, telemetry.afterTakeover(verdictAt), harm, audit, step, milestones,
                progress);
    }

    /** Counts no window of a pause as one without an answer. */
    RunProgress paused() {
        return new RunProgress(lease, redirectors, telemetry.paused(), harm, audit, step, milestones, progress);
    }

    /** With another share under way; nothing is sent when it is the same. */
    RunProgress ask(RunFacts facts, Ppm share, Instant now) {
        if (share.equals(share())) {
            return this;
        }
        Milestones reached = share.above(facts.naturalShare()) ? milestones.shifted(now) : milestones;
        return new RunProgress(sent(facts, share, now), redirectors, telemetry, harm, audit, step, reached, progress);
    }

    /**
     * The book with a lease on a share. A raised share lasts no longer than what is known of it: there is none without a
     * reliable verdict for {@link RunTimeouts#watchdog}, and its lease ends {@link RunTimeouts#justified} after the last one.
     */
    LeaseHistory sent(RunFacts facts, Ppm share, Instant now) {
        RunTimeouts times = facts.times();
        Duration window = facts.bounds().window();
        if (!share.above(facts.naturalShare())) {
            return lease.send(facts, share, times.leaseTtl(), now);
        }
        Duration unanswered = telemetry.unanswered(now);
        if (unanswered.compareTo(RunTimeouts.watchdog(window)) > 0) {
            return lease.send(facts, facts.naturalShare(), times.leaseTtl(), now);
        }
        Duration left = times.justified(window).minus(unanswered);
        return lease.send(facts, share, left.compareTo(times.leaseTtl()) < 0 ? left : times.leaseTtl(), now);
    }

    /** With a renewed lease, when it is time for one. */
    Optional<RunProgress> renewed(RunFacts facts, Instant now) {
        return renewed(facts, facts.times().renewal(), now);
    }

    /**
     * With a renewed lease when it will soon be time for one, as it is otherwise: what is decided is stored anyway, and
     * saves a decision of its own.
     */
    RunProgress renewedAlongside(RunFacts facts, Instant now) {
        return renewed(facts, facts.times().renewal().multipliedBy(3).dividedBy(4), now).orElse(this);
    }

    private Optional<RunProgress> renewed(RunFacts facts, Duration after, Instant now) {
        Lease newest = lease.newest();
        if (now.isBefore(newest.issuedAt().plus(after))) {
            return Optional.empty();
        }
        return Optional.of(with(newest.released() ? lease.release(facts, now) : sent(facts, share(), now)));
    }

    /** With everything at a moved share counted as harmed since a fresh verdict arrived last: what is not known is not healthy. */
    RunProgress afterSilence(RunFacts facts, Instant now) {
        Instant lastVerdictAt = telemetry.lastVerdictAt();
        return lastVerdictAt == null
                ? this
                : new RunProgress(lease, redirectors, telemetry,
                        harm.afterSilence(lease.largestSince(lastVerdictAt), Duration.between(lastVerdictAt, now),
                                lease.shiftedSince(lastVerdictAt, facts.naturalShare())),
                        audit, step,
                        milestones, progress);
    }

    /** Whether the share that is asked for is in force in every redirector that has proxies. */
    boolean shareInForce(RunFacts facts, Instant now) {
        return lease.shareAcknowledged(redirectors.applied(facts.times().redirectorSilence(), now));
    }

    /** After a verdict of this run that is in order, while nothing but its natural load is wanted. */
    RunProgress after(RunFacts facts, WindowVerdict verdict, boolean reliable, Instant now) {
        return after(facts, verdict, verdict.advice().step(), reliable, false, now);
    }

    /** After a verdict of this run that is in order, in a step; {@code audited} when the share should have arrived. */
    RunProgress after(RunFacts facts, WindowVerdict verdict, int number, boolean reliable, boolean audited,
            Instant now) {
        return new RunProgress(lease, redirectors, telemetry.after(verdict, reliable, now),
                harm.after(verdict, number, telemetry.lostBefore(verdict),
                        lease.shiftedIn(verdict, facts.naturalShare()), facts.naturalShare()),
                audited ? audit.after(verdict, lease.shares(), facts.redirect().grain()) : audit,
                step, milestones.judged(verdict, reliable, now), progress);
    }
}
