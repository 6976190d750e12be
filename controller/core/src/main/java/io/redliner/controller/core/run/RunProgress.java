// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a run since its first lease: everything that changes while the run goes on.
 *
 * @param lease the leases that were sent
 * @param redirectors the redirectors and the leases that they acknowledged
 * @param telemetry the freshness and reliability of the verdicts
 * @param harm the requests that the run harmed so far
 * @param audit the comparison of the measured share with the requested one
 * @param step the current step; absent before the first
 * @param milestones the instants at which conditions of the run were first met
 * @param progress progress of the run's step plan; absent without one, and before its first window
 */
public record RunProgress(LeaseHistory lease, Redirectors redirectors, TelemetryStatus telemetry, Harm harm,
        ShareDeviationCheck audit,
        @Nullable Step step, Milestones milestones, @Nullable StepPlanProgress progress) {

    static RunProgress begin(RunFacts facts, Redirectors redirectors, Instant now) {
        return new RunProgress(LeaseHistory.open(facts, now), redirectors, TelemetryStatus.NONE, Harm.NONE,
                ShareDeviationCheck.CLEAN, null, Milestones.NONE, null);
    }

    /** Returns the share that is requested now. */
    public Share share() {
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

    /** Returns this progress with the reports of redirectors from another one. */
    RunProgress withReportsOf(RunProgress other) {
        return new RunProgress(new LeaseHistory(lease.newest(), other.lease.waiting(), lease.shares()),
                other.redirectors, telemetry, harm, audit, step, milestones, progress);
    }

    RunProgress with(@Nullable Step newStep) {
        return new RunProgress(lease, redirectors, telemetry, harm, audit, newStep, milestones, progress);
    }

    RunProgress with(@Nullable StepPlanProgress newProgress) {
        return new RunProgress(lease, redirectors, telemetry, harm, audit, step, milestones, newProgress);
    }

    /** Returns the progress after a takeover by a controller that received its last fresh, healthy verdict at this instant. */
    RunProgress afterTakeover(@Nullable Instant verdictAt) {
        return new RunProgress(lease, redirectors, telemetry.afterTakeover(verdictAt), harm, audit, step, milestones,
                progress);
    }

    /** Resets the count of inconclusive windows, since those of a pause do not count. */
    RunProgress paused() {
        return new RunProgress(lease, redirectors, telemetry.paused(), harm, audit, step, milestones, progress);
    }

    /** Requests a share. It sends no lease when the share is the same as before. */
    RunProgress requestShare(RunFacts facts, Share share, Instant now) {
        if (share.equals(share())) {
            return this;
        }
        Milestones reached = share.above(facts.naturalShare()) ? milestones.shifted(now) : milestones;
        return new RunProgress(sent(facts, share, now), redirectors, telemetry, harm, audit, step, reached, progress);
    }

    /**
     * Returns the leases after another one for this share is sent, and sets its TTL. A share above the natural one lasts no longer
     * than the verdicts justify. Its lease ends {@link RunTimeouts#justified} after the last reliable verdict. When that verdict is
     * older than {@link RunTimeouts#watchdog}, the lease is for the natural share.
     */
    LeaseHistory sent(RunFacts facts, Share share, Instant now) {
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

    /** Returns the progress with a renewed lease; empty when it is too early for one. */
    Optional<RunProgress> renewed(RunFacts facts, Instant now) {
        return renewed(facts, facts.times().renewal(), now);
    }

    /**
     * Renews the lease a little early, after 3/4 of the renewal interval. The current decision is stored anyway, so this saves
     * another one.
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

    /**
     * Counts all requests at a moved share since the last fresh verdict as harmed, because a window without a verdict is never
     * taken for healthy.
     */
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

    /** Returns true when the requested share is in force in every redirector that has proxies. */
    boolean shareInForce(RunFacts facts, Instant now) {
        return lease.shareAcknowledged(redirectors.applied(facts.times().redirectorSilence(), now));
    }

    /** Returns the progress after a valid verdict of this run, while the run requests its natural share only. */
    RunProgress after(RunFacts facts, WindowVerdict verdict, boolean reliable, Instant now) {
        return after(facts, verdict, verdict.advice().step(), reliable, false, now);
    }

    /**
     * Returns the progress after a valid verdict of this run.
     *
     * @param number number of the step that the window belongs to
     * @param audited true when the measured share is compared with the requested one, because proxies have had time to follow
     */
    RunProgress after(RunFacts facts, WindowVerdict verdict, int number, boolean reliable, boolean audited,
            Instant now) {
        return new RunProgress(lease, redirectors, telemetry.after(verdict, reliable, now),
                harm.after(verdict, number, telemetry.lostBefore(verdict),
                        lease.shiftedIn(verdict, facts.naturalShare()), facts.naturalShare()),
                audited ? audit.after(verdict, lease.shares(), facts.redirect().grain()) : audit,
                step, milestones.judged(verdict, reliable, now), progress);
    }
}
