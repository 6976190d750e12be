// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.limit.OwnLimit;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The analyzer's judgement of one window of one run.
 *
 * @param sequence 1 for the first of a run and epoch, then one more with each window
 * @param judgement of the SLA as a whole
 * @param serviceRequestsPerSecond of the whole service, smoothed: turns a load into a share
 * @param harmRequests requests of this window that broke the SLA at the SUT beyond what its peers saw; below zero when
 *        the SUT did better than its peers
 * @param conclusion findings and checks at the end of the search; absent before
 * @param elsewhere requests to no instance of the service, which no other number here includes; absent without any
 * @param brokenRequests requests of this window that broke the SLA at the SUT, whatever the reason; absent without any, and
 *        when the analyzer reported none
 * @param ownLimit a limit that RedLiner chose itself and that ended a part of the requests that matters, at instances whose share is
 *        not raised; absent when none did
 */
public record WindowVerdict(String runId, long epoch, long sequence, Instant windowStart, Duration windowLength,
        Judgement judgement, List<RuleResult> sla, List<RuleResult> guards, SearchAdvice advice, TrafficSample sut,
        TrafficSample peers, double serviceRequestsPerSecond, double harmRequests, @Nullable CapacityEstimate estimate,
        @Nullable SearchConclusion conclusion, @Nullable Elsewhere elsewhere, @Nullable Long brokenRequests,
        @Nullable OwnLimit ownLimit) {

    private static final int MAX_DOUBT_LENGTH = 2_000;

    public WindowVerdict {
        sla = List.copyOf(sla);
        guards = List.copyOf(guards);
    }

    /** A window without a conclusion. */
    public WindowVerdict(String runId, long epoch, long sequence, Instant windowStart, Duration windowLength,
            Judgement judgement, List<RuleResult> sla, List<RuleResult> guards, SearchAdvice advice, TrafficSample sut,
            TrafficSample peers, double serviceRequestsPerSecond, double harmRequests,
            @Nullable CapacityEstimate estimate) {
        this(runId, epoch, sequence, windowStart, windowLength, judgement, sla, guards, advice, sut, peers,
                serviceRequestsPerSecond, harmRequests, estimate, null, null);
    }

    /** Returns the same window with another advice and estimate. */
    WindowVerdict with(SearchAdvice other, @Nullable CapacityEstimate otherEstimate) {
        return new WindowVerdict(runId, epoch, sequence, windowStart, windowLength, judgement, sla, guards, other, sut,
                peers, serviceRequestsPerSecond, harmRequests, otherEstimate, conclusion, elsewhere, brokenRequests,
                ownLimit);
    }

    /** A window in which no request broke the SLA. */
    public WindowVerdict(String runId, long epoch, long sequence, Instant windowStart, Duration windowLength,
            Judgement judgement, List<RuleResult> sla, List<RuleResult> guards, SearchAdvice advice, TrafficSample sut,
            TrafficSample peers, double serviceRequestsPerSecond, double harmRequests,
            @Nullable CapacityEstimate estimate, @Nullable SearchConclusion conclusion, @Nullable Elsewhere elsewhere) {
        this(runId, epoch, sequence, windowStart, windowLength, judgement, sla, guards, advice, sut, peers,
                serviceRequestsPerSecond, harmRequests, estimate, conclusion, elsewhere, null, null);
    }

    /** Returns the end of the window. */
    public Instant windowEnd() {
        return windowStart.plus(windowLength);
    }

    /** Requests that broke the SLA at the SUT beyond what its peers saw; below zero when the SUT did better than its peers. */
    double beyondPeers() {
        return Double.isFinite(harmRequests) ? harmRequests : 0;
    }

    /** Requests that broke the SLA at the SUT; at least those that did beyond its peers. */
    public double broken() {
        return Math.max(brokenRequests == null ? 0 : (double) brokenRequests, Math.max(0, beyondPeers()));
    }

    /** Requests that would have broken the SLA at the SUT if it had done as its peers; 0 without peers. */
    public double brokenAtPeersRate() {
        return Math.max(0, broken() - beyondPeers());
    }

    /**
     * Requests that would have broken the SLA at the SUT in any case.
     *
     * @param harm by the test in this window; below zero when the SUT did better than its peers
     */
    public long brokenAnyway(double harm) {
        return (long) Math.max(0, Math.floor(broken() - Math.max(0, harm)));
    }

    /** Returns true when its window ended recently, and not more than 2 s in the future. */
    public boolean fresh(Instant now) {
        return TelemetryStatus.fresh(this, now);
    }

    /** Returns true when the verdict is about this run and its epoch. */
    boolean concerns(RunFacts facts) {
        return runId.equals(facts.runId()) && epoch == facts.epoch();
    }

    /** Returns true when the service's rate is known, so that a load can be turned into a share. */
    boolean rateKnown() {
        return Double.isFinite(serviceRequestsPerSecond) && serviceRequestsPerSecond > 0;
    }

    /** Returns true when this window is not reliable: it is inconclusive, or has no advice. */
    boolean unknown() {
        return inconclusive() || advice.action() == SearchAdvice.Action.NONE;
    }

    /** Returns true when the SLA or a guard has no data, or the service's rate is not known. */
    boolean inconclusive() {
        return judgement == Judgement.INCONCLUSIVE || !rateKnown() || acting(Judgement.INCONCLUSIVE).isPresent();
    }

    /** Returns the first guard that is broken and is not only informational. */
    public Optional<RuleResult> brokenGuard() {
        return acting(Judgement.BREACHED);
    }

    private Optional<RuleResult> acting(Judgement wanted) {
        return guards.stream().filter(guard -> !guard.informational() && guard.judgement() == wanted).findFirst();
    }

    /** Returns the reason why it is not reliable, for people, with all rules that have no answer. */
    String doubt() {
        String unanswered = Stream.concat(sla.stream(), guards.stream())
                .filter(rule -> rule.judgement() == Judgement.INCONCLUSIVE && !rule.informational())
                .map(rule -> "rule '" + rule.name() + "' has no answer"
                        + (rule.reason().isEmpty() ? "" : ": " + rule.reason()))
                .collect(Collectors.joining("; and "));
        if (!unanswered.isEmpty()) {
            return unanswered.length() <= MAX_DOUBT_LENGTH
                    ? unanswered
                    : unanswered.substring(0, MAX_DOUBT_LENGTH) + " ...";
        }
        return rateKnown()
                ? "the window was inconclusive (" + advice.reason() + ")"
                : "the service's request rate is unknown";
    }
}
