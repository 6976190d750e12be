// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The leases that were sent: the newest one, those that wait for an acknowledgement, and the shares requested in the last seconds.
 *
 * @param newest the lease that was sent last
 * @param waiting leases that not every redirector has acknowledged, oldest first
 * @param shares the requested shares, and since when, oldest first
 */
public record LeaseHistory(Lease newest, List<Waiting> waiting, List<RequestedShare> shares) {

    public LeaseHistory {
        waiting = List.copyOf(waiting);
        shares = List.copyOf(shares);
    }

    /** Returns the first lease of a run, at its natural share. */
    static LeaseHistory open(RunFacts facts, Instant now) {
        Lease first = lease(facts, 1, facts.naturalShare(), facts.times().leaseTtl(), now);
        return new LeaseHistory(first, List.of(new Waiting(1, now)),
                List.of(new RequestedShare(first.share(), now, 1L)));
    }

    /**
     * Returns the history after a renewal or a change of the share.
     *
     * @param ttl at most the run's
     */
    LeaseHistory send(RunFacts facts, Share share, Duration ttl, Instant now) {
        Lease next = lease(facts, newest.sequence() + 1, share, ttl, now);
        List<Waiting> nowWaiting = new ArrayList<>(waiting);
        nowWaiting.add(new Waiting(next.sequence(), now));
        return new LeaseHistory(next, nowWaiting, requestedShares(facts, next, now));
    }

    /** Returns the history after the natural share was requested again. It counts as a new share, measured from now on. */
    LeaseHistory begin(RunFacts facts, Duration ttl, Instant now) {
        LeaseHistory history = send(facts, facts.naturalShare(), ttl, now);
        List<RequestedShare> requested = new ArrayList<>(history.shares);
        requested.add(new RequestedShare(facts.naturalShare(), now, history.newest.sequence()));
        return new LeaseHistory(history.newest, history.waiting, requested);
    }

    /** Returns the history after the release of the lease. */
    LeaseHistory release(RunFacts facts, Instant now) {
        Lease release = new Lease(facts.epoch(), newest.sequence() + 1, facts.naturalShare(), now,
                now.plus(facts.times().leaseTtl()), facts.times().leaseTtl(), true);
        return new LeaseHistory(release, List.of(), requestedShares(facts, release, now));
    }

    /** Returns the history after every redirector has acknowledged the leases up to a sequence. */
    LeaseHistory acknowledged(long sequence) {
        return new LeaseHistory(newest, waiting.stream().filter(lease -> lease.sequence() > sequence).toList(), shares);
    }

    /** Returns the requested share. */
    Share share() {
        return newest.share();
    }

    /** Returns the share requested before an instant, as far back as shares are kept. */
    public Share shareBefore(Instant instant) {
        return shares.stream()
                .filter(asked -> asked.since().isBefore(instant))
                .reduce((earlier, later) -> later)
                .orElse(shares.getFirst())
                .share();
    }

    /**
     * Returns true when another share than the natural one may have been in force in a window that is judged now. Such a share is
     * requested now, or was requested between a little before the window and its end. The present share counts even if the window
     * seems to have ended before its request, because clocks may differ.
     */
    boolean shiftedIn(WindowVerdict verdict, Share naturalShare) {
        return Stream.concat(Stream.of(share()), ShareDeviationCheck.inForce(verdict, shares))
                .anyMatch(share -> !share.equals(naturalShare));
    }

    /**
     * Returns true when another share than the natural one was requested at this instant or since, as far back as shares are kept.
     */
    boolean shiftedSince(Instant since, Share naturalShare) {
        return since(since).anyMatch(share -> !share.equals(naturalShare));
    }

    /** Returns the largest share requested at this instant or since, as far back as shares are kept. */
    Share largestSince(Instant since) {
        return since(since).max(Share::compareTo).orElseThrow();
    }

    private Stream<Share> since(Instant since) {
        return IntStream.range(0, shares.size())
                .filter(index -> index == shares.size() - 1 || shares.get(index + 1).since().isAfter(since))
                .mapToObj(index -> shares.get(index).share());
    }

    /** Returns the leases that wait longer than they may, the oldest first. */
    Stream<Waiting> overdue(RunFacts facts, Instant now) {
        return waiting.stream().filter(lease -> now.isAfter(lease.sentAt().plus(facts.times().acknowledgement())));
    }

    /**
     * Returns true when the requested share has reached every redirector with proxies.
     *
     * @param applied the lowest lease that one of them has in force now: proxies may have moved to a redirector with an older one
     */
    boolean shareAcknowledged(long applied) {
        return applied >= shares.getLast().sequence() && shareAcknowledged();
    }

    /** Returns true when every redirector with proxies has acknowledged the requested share. */
    boolean shareAcknowledged() {
        Instant since = shares.getLast().since();
        return waiting.stream().noneMatch(lease -> lease.sentAt().equals(since));
    }

    private List<RequestedShare> requestedShares(RunFacts facts, Lease lease, Instant now) {
        if (lease.share().equals(share())) {
            return shares;
        }
        Instant horizon = now.minus(facts.bounds().window().multipliedBy(3))
                .minus(ShareDeviationCheck.SETTLING.multipliedBy(3));
        List<RequestedShare> kept = new ArrayList<>();
        for (int index = 0; index < shares.size(); index++) {
            boolean last = index == shares.size() - 1;
            if (last || shares.get(index + 1).since().isAfter(horizon)) {
                kept.add(shares.get(index));
            }
        }
        kept.add(new RequestedShare(lease.share(), now, lease.sequence()));
        return kept;
    }

    private static Lease lease(RunFacts facts, long sequence, Share share, Duration ttl, Instant now) {
        Instant expiry = now.plus(ttl);
        Instant end = facts.end();
        Instant bounded = expiry.isBefore(end) ? expiry : end;
        return new Lease(facts.epoch(), sequence, share, now, bounded, ttl, false);
    }

    /** A lease on its way. */
    public record Waiting(long sequence, Instant sentAt) {}

    /**
     * A share that was requested from an instant on.
     *
     * @param sequence of the first lease with it
     */
    public record RequestedShare(Share share, Instant since, long sequence) {}
}
