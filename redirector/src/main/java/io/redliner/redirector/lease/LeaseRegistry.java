// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.Epochs;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.redirector.lease.KnownLeases.Entry;
import io.redliner.redirector.lease.LeaseState.End;
import io.redliner.redirector.lease.LeaseState.Ended;
import io.redliner.redirector.lease.LeaseState.None;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.pcollections.PSortedSet;
import org.pcollections.TreePSet;

/**
 * The leases of all services. It validates each lease, and ends a lease whose time to live (TTL, the controller's
 * {@code leaseTtl}) is over without a renewal. Immutable: every change gives a new registry, at a cost that hardly grows with the
 * number of services.
 */
public final class LeaseRegistry {

    /** The time at which a service's lease ends unless it is renewed. */
    private record Deadline(Instant endsAt, String service) implements Comparable<Deadline> {

        @Override
        public int compareTo(Deadline other) {
            return Comparator.comparing(Deadline::endsAt).thenComparing(Deadline::service).compare(this, other);
        }
    }

    /**
     * The kill switch as a redirector obeys it. An engaged switch is obeyed at once, from every sender and whatever the sender's clock.
     * A release is obeyed after a delay, in which a controller that knows the switch as engaged repeats that.
     *
     * @param killSwitch in the last record
     * @param engaged the engaged switch that is obeyed until {@code releaseAt}; {@code killSwitch} itself while that is engaged
     * @param releaseAt when a released switch is obeyed, by the redirector's clock; far back for one that was never engaged
     */
    private record KillSwitchState(KillSwitch killSwitch, KillSwitch engaged, Instant releaseAt) {

        /** The state before it was ever engaged. */
        static final KillSwitchState NEVER_ENGAGED = new KillSwitchState(KillSwitch.NEVER_ENGAGED,
                KillSwitch.NEVER_ENGAGED, Instant.MIN);

        /**
         * The state after a record.
         *
         * @param laterRelease when the record's release is obeyed, if it is one; repetitions of a release do not delay it
         */
        KillSwitchState changedTo(KillSwitch next, Instant laterRelease) {
            if (next.engaged()) {
                return new KillSwitchState(next, next, Instant.MIN);
            }
            return new KillSwitchState(next, engaged, killSwitch.engaged() ? laterRelease : releaseAt);
        }

        /** The switch that is obeyed at this time. */
        KillSwitch at(Instant now) {
            return now.isBefore(releaseAt) ? engaged : killSwitch;
        }

        /** Returns when a release is obeyed; empty while the switch is engaged, or was never. */
        Optional<Instant> releaseDue() {
            return Optional.of(releaseAt).filter(due -> !killSwitch.engaged() && due.isAfter(Instant.MIN));
        }
    }

    private final RoutedServices routedServices;

    private final Duration margin;

    private final KnownLeases knownLeases;

    private final PSortedSet<Deadline> deadlines;

    private final KillSwitchState killSwitch;

    private LeaseRegistry(RoutedServices routedServices, Duration margin, KnownLeases knownLeases,
            PSortedSet<Deadline> deadlines, KillSwitchState killSwitch) {
        this.routedServices = routedServices;
        this.margin = margin;
        this.knownLeases = knownLeases;
        this.deadlines = deadlines;
        this.killSwitch = killSwitch;
    }

    /**
     * A registry in which no lease has been seen.
     *
     * @param margin time before its expiry at which the redirector ends a lease; the proxies' own timers therefore end it only
     *        when the redirector is gone
     */
    public static LeaseRegistry empty(RoutedServices routedServices, Duration margin) {
        return new LeaseRegistry(routedServices, margin, KnownLeases.NONE, TreePSet.empty(),
                KillSwitchState.NEVER_ENGAGED);
    }

    /** The state of the service's newest lease. */
    public LeaseState state(String service) {
        return knownLeases.state(service);
    }

    /** The accepted lease of the service, or empty when there is none. */
    public Optional<ActiveLease> active(String service) {
        return state(service) instanceof ActiveLease active ? Optional.of(active) : Optional.empty();
    }

    /** The lease with the highest epoch and sequence that has been seen, even when it had expired when it came in. */
    Optional<Lease> newest(String service) {
        return knownLeases.find(service).map(Entry::newest);
    }

    /** Returns when the next lease ends unless it is renewed. */
    public Optional<Instant> nextExpiry() {
        return deadlines.isEmpty() ? Optional.empty() : Optional.of(deadlines.getFirst().endsAt());
    }

    /** The kill switch as it is obeyed now. */
    KillSwitch killSwitch(Instant now) {
        return killSwitch.at(now);
    }

    /** Returns when a release of the kill switch takes effect, unless it is engaged again. */
    Optional<Instant> nextRelease() {
        return killSwitch.releaseDue();
    }

    /** The registry for other services. The caller has ended the leases on instances that are gone. */
    LeaseRegistry with(RoutedServices next) {
        return new LeaseRegistry(next, margin, knownLeases.knowing(next), deadlines, killSwitch);
    }

    /**
     * Accepts or rejects a lease.
     *
     * @param lease with its times by the redirector's clock, see {@link Lease#received}
     * @param receivedAt by the redirector's clock; the lease is obeyed no longer than {@code ttl} after it, and no
     *        longer than to {@code expiresAt}
     */
    public LeaseDecision accept(Lease lease, Instant receivedAt) {
        Entry entry = knownLeases.find(lease.service()).orElse(null);
        if (entry != null && endsRun(entry.state(), lease)) {
            // An epoch that no controller can have issued is not kept.
            Lease last = entry.jumped(lease) ? entry.state().lastLease().orElseThrow() : lease;
            return new LeaseDecision.Accepted(with(last, new Ended(last, End.RELEASED, "")));
        }
        if (entry == null ? Long.compareUnsigned(lease.epoch(), Epochs.MAX_JUMP) > 0 : entry.jumped(lease)) {
            return reject(LeaseRejectionReason.EPOCH_JUMP, "epoch " + Long.toUnsignedString(lease.epoch())
                    + " is more than " + Epochs.MAX_JUMP + " above epoch "
                    + Long.toUnsignedString(entry == null ? 0 : entry.highestEpoch())
                    + ", the highest that has been seen: no controller issues it. Find out who writes to the topic of leases");
        }
        if (entry != null) {
            Optional<LeaseDecision> fenced = fence(entry, lease);
            if (fenced.isPresent()) {
                return fenced.get();
            }
        }
        Optional<Service> service = routedServices.find(lease.service());
        if (service.isEmpty()) {
            return refuse(lease, LeaseRejectionReason.UNKNOWN_SERVICE,
                    "service " + lease.service() + " is not known here");
        }
        if (lease.released()) {
            return new LeaseDecision.Accepted(with(lease, new Ended(lease, End.RELEASED, "")));
        }
        return judge(lease, service.get(), receivedAt);
    }

    /**
     * Returns whether the lease releases the run of the service's last lease. Such a release is obeyed whatever its epoch and
     * sequence, because it only makes traffic natural: no forged lease can prevent it.
     */
    private static boolean endsRun(LeaseState state, Lease lease) {
        boolean repeated = state instanceof Ended ended && ended.end() == End.RELEASED
                && ended.lease().epoch() == lease.epoch();
        return lease.released() && !repeated && state.lastLease().filter(lease::sameRun).isPresent();
    }

    private Optional<LeaseDecision> fence(Entry entry, Lease lease) {
        Lease newest = entry.newest();
        int newer = Long.compareUnsigned(lease.epoch(), newest.epoch());
        if (newer < 0) {
            return Optional.of(reject(LeaseRejectionReason.LOWER_EPOCH, "epoch " + Long.toUnsignedString(lease.epoch())
                    + " is fenced off: epoch " + Long.toUnsignedString(newest.epoch()) + " has been seen"));
        }
        Optional<LeaseDecision> disordered = newer == 0 && !(lease.released() && lease.sameRun(newest))
                ? outOfOrder(newest, lease)
                : Optional.empty();
        return disordered.or(() -> switch (entry.state()) {
            case None none -> Optional.empty();
            case ActiveLease active -> besides(entry, active.lease(), lease);
            case Ended ended -> after(ended, lease);
        });
    }

    private Optional<LeaseDecision> outOfOrder(Lease newest, Lease lease) {
        if (Long.compareUnsigned(lease.sequence(), newest.sequence() + Epochs.MAX_SEQUENCE_JUMP) > 0) {
            return Optional.of(reject(LeaseRejectionReason.SEQUENCE_JUMP,
                    "sequence " + Long.toUnsignedString(lease.sequence()) + " is more than " + Epochs.MAX_SEQUENCE_JUMP
                            + " above sequence " + Long.toUnsignedString(newest.sequence())
                            + " of this epoch: no controller issues it. Find out who writes to the topic of leases"));
        }
        return Long.compareUnsigned(lease.sequence(), newest.sequence()) <= 0
                ? Optional.of(
                        reject(LeaseRejectionReason.STALE_SEQUENCE,
                                "sequence " + Long.toUnsignedString(lease.sequence())
                                        + " is not newer than " + Long.toUnsignedString(newest.sequence())))
                : Optional.empty();
    }

    /**
     * Rejects a lease of another run than the one in force. The next run begins when the lease in force was released or has
     * expired.
     */
    private Optional<LeaseDecision> besides(Entry entry, Lease held, Lease lease) {
        return lease.belongsTo(held)
                ? Optional.empty()
                : Optional.of(new LeaseDecision.Rejected(
                        copy(knownLeases.keepingOut(lease, entry), deadlines),
                        LeaseRejectionReason.OTHER_RUN, otherRun("is in force", held)));
    }

    private Optional<LeaseDecision> after(Ended ended, Lease lease) {
        boolean closed = lease.sameRun(ended.lease()) && ended.end() == End.RELEASED;
        boolean sameEpoch = ended.lease().epoch() == lease.epoch();
        if (lease.released() ? sameEpoch && ended.end() == End.RELEASED : sameEpoch || closed) {
            return Optional.of(reject(LeaseRejectionReason.EPOCH_ENDED,
                    (closed ? "run " + lease.runId() : "epoch " + Long.toUnsignedString(lease.epoch()))
                            + " has ended, it takes a new one to move traffic again"
                            + (ended.reason().isEmpty() ? "" : ": " + ended.reason())));
        }
        return lease.sameRun(ended.lease()) && !lease.belongsTo(ended.lease())
                ? Optional.of(reject(LeaseRejectionReason.OTHER_RUN, otherRun("was in force last", ended.lease())))
                : Optional.empty();
    }

    private static String otherRun(String standing, Lease lease) {
        return "run " + lease.runId() + " " + standing + " in epoch " + Long.toUnsignedString(lease.epoch()) + " on "
                + lease.traffic().describe();
    }

    private LeaseDecision judge(Lease lease, Service service, Instant receivedAt) {
        KillSwitch obeyed = killSwitch.at(receivedAt);
        if (obeyed.engaged()) {
            return refuse(lease, LeaseRejectionReason.KILL_SWITCH, obeyed.describe());
        }
        Instant expiry = lease.validity().endAfter(receivedAt);
        Duration ttl = lease.validity().ttl();
        Instant endsAt = expiry.minus(margin);
        if (ttl.compareTo(margin) <= 0) {
            return refuse(lease, LeaseRejectionReason.EXPIRED, "its time to live of " + ttl.toMillis()
                    + " ms is not above the redirector's lease-margin of " + margin.toMillis()
                    + " ms: the controller has to issue longer leases, or "
                    + "redliner.redirector.loop.lease-margin has to be lower");
        }
        if (!endsAt.isAfter(receivedAt)) {
            return refuse(lease, LeaseRejectionReason.EXPIRED,
                    "it ran out " + Duration.between(endsAt, receivedAt).toMillis()
                            + " ms before it came in; when it was just issued, the clocks differ");
        }
        Optional<Instance> sut = service.instance(lease.sut());
        if (sut.isEmpty()) {
            return refuse(lease, LeaseRejectionReason.UNKNOWN_INSTANCE,
                    "instance " + lease.sut() + " is not in the fleet of " + service.name());
        }
        Optional<String> outOfBounds = lease.traffic().outOfBounds();
        if (outOfBounds.isPresent()) {
            return refuse(lease, LeaseRejectionReason.SHARE_OUT_OF_BOUNDS, outOfBounds.get());
        }
        if (service.instances().size() < 2) {
            return refuse(lease, LeaseRejectionReason.FLEET_TOO_SMALL, "service " + service.name()
                    + " needs two instances: one is tested, the others take the rest of the traffic");
        }
        String fault = lease.traffic().redirectFault();
        if (fault != null) {
            return refuse(lease, LeaseRejectionReason.BAD_REDIRECT, fault);
        }
        Optional<String> unavailable = service.integration().capabilities().problem(service.name(), lease.redirect(),
                lease.sut());
        if (unavailable.isPresent()) {
            return refuse(lease, LeaseRejectionReason.MODE_NOT_AVAILABLE, unavailable.get());
        }
        return new LeaseDecision.Accepted(
                with(lease, new ActiveLease(lease, sut.get(), lease.traffic().attainable(), endsAt, expiry)));
    }

    /**
     * The registry after something happened to all services.
     *
     * @param services whose leases ended by that
     */
    public record Changed(LeaseRegistry leases, List<String> services) {}

    /**
     * Forgets the leases that have expired while the earlier records are read. They were never in force here, and a renewal may be
     * among the unread records. Their epochs and sequences stay known.
     */
    Changed forgetOverdue(Instant now) {
        return withoutOverdue(now, lease -> new None());
    }

    /**
     * Takes a record of the kill switch: every lease ends when it is engaged, and none is obeyed while it is.
     *
     * @param releaseAt when the release takes effect, if the record is one and no other record engages the switch until then
     */
    Changed changeKillSwitch(KillSwitch next, Instant releaseAt) {
        LeaseRegistry leases = new LeaseRegistry(routedServices, margin, knownLeases, deadlines,
                killSwitch.changedTo(next, releaseAt));
        List<String> services = next.engaged() ? deadlines.stream().map(Deadline::service).toList() : List.of();
        for (String service : services) {
            leases = leases.fail(service, next.describe());
        }
        return new Changed(leases, services);
    }

    /**
     * Ends every lease that was not renewed in time.
     *
     * @param neverInForce whether no proxy of a service got the lease. Such a lease has not begun, so its epoch has not ended,
     *        and a late renewal begins it
     */
    Changed expire(Instant now, Predicate<String> neverInForce) {
        return withoutOverdue(now,
                lease -> neverInForce.test(lease.service())
                        ? new None()
                        : new Ended(lease, End.LAPSED,
                                "not renewed after sequence " + Long.toUnsignedString(lease.sequence())));
    }

    private Changed withoutOverdue(Instant now, Function<Lease, LeaseState> afterwards) {
        LeaseRegistry leases = this;
        List<String> services = new ArrayList<>();
        while (leases.nextExpiry().filter(next -> !next.isAfter(now)).isPresent()) {
            String service = leases.deadlines.getFirst().service();
            Lease lease = leases.active(service).orElseThrow().lease();
            services.add(service);
            leases = leases.with(lease, afterwards.apply(lease));
        }
        return new Changed(leases, services);
    }

    /** The registry after the service's lease failed. Without a lease, this registry. */
    public LeaseRegistry fail(String service, String reason) {
        return active(service).map(held -> with(held.lease(), new Ended(held.lease(), End.FAILED, reason)))
                .orElse(this);
    }

    private LeaseRegistry with(Lease lease, LeaseState state) {
        String service = lease.service();
        PSortedSet<Deadline> others = deadline(service).<PSortedSet<Deadline>>map(deadlines::minus).orElse(deadlines);
        PSortedSet<Deadline> next = state instanceof ActiveLease active
                ? others.plus(new Deadline(active.endsAt(), service))
                : others;
        return copy(knownLeases.with(lease, state), next);
    }

    private LeaseRegistry copy(KnownLeases nextLeases, PSortedSet<Deadline> nextDeadlines) {
        return new LeaseRegistry(routedServices, margin, nextLeases, nextDeadlines, killSwitch);
    }

    private Optional<Deadline> deadline(String service) {
        return active(service).map(held -> new Deadline(held.endsAt(), service));
    }

    /** Rejects a lease whose epoch and sequence count all the same: a controller with a lower epoch has lost its run. */
    private LeaseDecision refuse(Lease lease, LeaseRejectionReason rejection, String message) {
        boolean invented = routedServices.find(lease.service()).isEmpty()
                && !knownLeases.entries().containsKey(lease.service());
        LeaseRegistry next = invented
                ? copy(knownLeases.withUnknown(lease), deadlines)
                : with(lease, state(lease.service()));
        return new LeaseDecision.Rejected(next, rejection, message);
    }

    private LeaseDecision reject(LeaseRejectionReason rejection, String message) {
        return new LeaseDecision.Rejected(this, rejection, message);
    }
}
