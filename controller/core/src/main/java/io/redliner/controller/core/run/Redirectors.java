// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.ReportedLeaseState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The redirectors of the service, with the last report and the last applied lease of each. Several may run side by side,
 * with the proxies connected to any of them. A redirector without a proxy neither applies a lease nor delays a run. The run
 * waits for one that has not reported yet whether it has a proxy.
 *
 * @param known by name
 */
public record Redirectors(SortedMap<String, Status> known) {

    /** Most reports without a change that are noted within the silence limit. */
    private static final int MAX_UNCHANGED_REPORTS = 10;

    public Redirectors {
        known = Collections.unmodifiableSortedMap(new TreeMap<>(known));
    }

    /** Creates the redirectors that were alive when the run was submitted. It is not known yet which of them has a proxy. */
    static Redirectors alive(Collection<String> names, Instant now) {
        SortedMap<String, Status> known = new TreeMap<>();
        names.forEach(name -> known.put(name,
                new Status(now, 0, false, "redirector " + name + " has not answered yet", null, null, null)));
        return new Redirectors(known);
    }

    /**
     * Returns the redirectors after a report of this run or of another. A report that changes nothing and follows shortly
     * after another one is dropped. So a redirector may seem silent for a little longer than it is, and never shorter.
     */
    Redirectors after(RedirectorReport report, RunFacts facts, Instant now) {
        SortedMap<String, Status> next = new TreeMap<>(known);
        Status before = known.get(report.redirector());
        boolean connected = report.anyProxyConnected();
        long applied = before == null ? 0 : before.applied();
        boolean restored = before != null && before.restored();
        String message = before == null ? report.describe() : before.said();
        Instant connectedAt = connected || (before != null && Boolean.TRUE.equals(before.connected()))
                ? now
                : before == null ? null : before.connectedAt();
        if (report.concerns(facts)) {
            message = report.describe();
            applied = connected && report.state() == ReportedLeaseState.APPLIED
                    ? Math.max(applied, report.leaseSequence())
                    : applied;
        }
        Status status = new Status(now, applied, restored, message, connected, connectedAt,
                before == null ? null : before.changes());
        if (before != null && before.sameExceptTime(status) && status.at().isBefore(before.at().plus(
                facts.times().redirectorSilence().dividedBy(MAX_UNCHANGED_REPORTS)))) {
            return this;
        }
        next.put(report.redirector(), status);
        return new Redirectors(next);
    }

    /** Marks a redirector as restored: all its proxies are natural again. */
    Redirectors restored(String redirector) {
        SortedMap<String, Status> next = new TreeMap<>(known);
        next.computeIfPresent(redirector,
                (name, status) -> new Status(status.at(), status.applied(), true, status.said(),
                        status.connected(), status.connectedAt(), status.changes()));
        return new Redirectors(next);
    }

    /**
     * Notes the changes of the fleet that a redirector reports while traffic goes back. A report without any keeps the
     * earlier ones.
     */
    Redirectors withFleetChanges(RedirectorReport report) {
        if (report.changes().isEmpty()) {
            return this;
        }
        SortedMap<String, Status> next = new TreeMap<>(known);
        next.computeIfPresent(report.redirector(),
                (name, status) -> status.with(FleetChanges.lasting(report.changes())));
        return new Redirectors(next);
    }

    /**
     * Returns the changes of the fleet that keep the SUT from its natural share, by redirectors, without those that were undone
     * since.
     */
    Stream<FleetChange> fleetChanges() {
        return known.values().stream().flatMap(status -> Stream.ofNullable(status.changes())).flatMap(List::stream);
    }

    /** Returns the redirectors after another controller took the run over, to which the alive ones had reported. */
    Redirectors afterTakeover(Collection<String> alive, Instant now) {
        SortedMap<String, Status> next = new TreeMap<>(alive(alive, now).known());
        known.forEach((name, status) -> next.put(name, alive.contains(name)
                ? new Status(now, status.applied(), status.restored(), status.said(), status.connected(),
                        status.connectedAt(), status.changes())
                : status));
        return new Redirectors(next);
    }

    /** Withdraws all proofs and applied leases, because the run has a new epoch. */
    Redirectors unproven() {
        SortedMap<String, Status> next = new TreeMap<>();
        known.forEach((name, status) -> next.put(name,
                new Status(status.at(), 0, false, status.said(), null, status.connectedAt(), status.changes())));
        return new Redirectors(next);
    }

    /** Returns the lease that all redirectors that may have proxies have applied; 0 when one or all of them have applied none. */
    long applied(Duration silenceLimit, Instant now) {
        return counting(silenceLimit, now).mapToLong(Status::applied).min().orElse(0);
    }

    /**
     * Returns true when a redirector that may have proxies reported at this instant or later without having applied the
     * lease. One that fell silent soon after the lease was sent is not slow: its proxies may be on their way to another
     * redirector. The limit for silence applies to it.
     */
    boolean slow(long sequence, Instant since, Duration silenceLimit, Instant now) {
        return counting(silenceLimit, now)
                .anyMatch(status -> status.applied() < sequence && !status.at().isBefore(since));
    }

    /**
     * Returns true when no redirector with a connected proxy has had the lease in force for longer than this limit. The
     * limit leaves time for proxies that are on their way from one redirector to another.
     */
    boolean lost(Duration silenceLimit, Instant now) {
        return counting(silenceLimit, now).noneMatch(status -> status.applied() > 0) && known.values()
                .stream()
                .filter(status -> status.applied() > 0)
                .map(Status::connectedAt)
                .noneMatch(connectedAt -> connectedAt != null && !now.isAfter(connectedAt.plus(silenceLimit)));
    }

    /** Redirectors that reported recently, without those whose last report had no connected proxy. */
    private Stream<Status> counting(Duration silenceLimit, Instant now) {
        return known.values().stream().filter(status -> !status.idle() && status.alive(silenceLimit, now));
    }

    /** Returns a redirector silent for longer than the limit whose last report had the lease in force, with a proxy. */
    Optional<String> fallenSilent(Duration silenceLimit, Instant now) {
        return known.entrySet()
                .stream()
                .filter(entry -> entry.getValue().applied() > 0 && !entry.getValue().idle())
                .filter(entry -> !entry.getValue().alive(silenceLimit, now))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Returns a redirector silent for longer than the limit. */
    Optional<String> silent(Duration silenceLimit, Instant now) {
        return known.entrySet()
                .stream()
                .filter(entry -> !entry.getValue().alive(silenceLimit, now))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Returns true when another redirector reported recently, to which this one's proxies may have gone. */
    boolean othersAlive(String redirector, Duration silenceLimit, Instant now) {
        return known.entrySet()
                .stream()
                .anyMatch(entry -> !entry.getKey().equals(redirector) && entry.getValue().alive(silenceLimit, now));
    }

    /** Returns true when at least one redirector proved natural traffic, and the run waits for no other. */
    boolean allRestored(Instant since, Duration silenceLimit, Instant now) {
        boolean waiting = known.values().stream()
                .anyMatch(status -> !status.restored() && status.awaited(since, silenceLimit, now));
        return !waiting && known.values().stream().anyMatch(Status::restored);
    }

    /** Returns the last reports of those with proxies that did not prove natural traffic; empty when there are none. */
    Optional<String> unrestored() {
        String message = known.values().stream().filter(status -> !status.restored() && !status.idle())
                .map(Status::said)
                .collect(Collectors.joining("; "));
        return message.isEmpty() ? Optional.empty() : Optional.of(message);
    }

    /** Returns the last reports of those that have not applied the lease; those without proxies only when none has any. */
    String behind(long sequence) {
        if (known.isEmpty()) {
            return "no redirector has reported";
        }
        boolean allIdle = known.values().stream().allMatch(Status::idle);
        return known.values()
                .stream()
                .filter(status -> allIdle || (!status.idle() && status.applied() < sequence))
                .map(Status::said)
                .collect(Collectors.joining("; "));
    }

    /**
     * One redirector.
     *
     * @param at when it reported last
     * @param applied the highest lease sequence of the run's epoch that it has in force, 0 for none
     * @param restored true when it proved that its proxies are natural again
     * @param said its last report of this run, as text
     * @param connected true when a proxy of the service is connected to it; absent while it has not reported that
     * @param connectedAt the last instant at which one was or may have been connected; absent when none ever was
     * @param changes of the fleet that were not undone; absent without any
     */
    public record Status(Instant at, long applied, boolean restored, String said, @Nullable Boolean connected,
            @Nullable Instant connectedAt, @Nullable List<FleetChange> changes) {

        Status with(@Nullable List<FleetChange> newChanges) {
            return new Status(at, applied, restored, said, connected, connectedAt, newChanges);
        }

        /** Returns true when it has no proxy, so that the run does not depend on it. */
        boolean idle() {
            return connected != null && !connected;
        }

        boolean sameExceptTime(Status other) {
            return applied == other.applied && restored == other.restored && said.equals(other.said)
                    && Objects.equals(connected, other.connected) && Objects.equals(changes, other.changes);
        }

        boolean alive(Duration silenceLimit, Instant now) {
            return !now.isAfter(at.plus(silenceLimit));
        }

        /**
         * Returns true while the run waits for it. Without a proxy, that is while proxies that left it may follow their
         * last lease.
         */
        boolean awaited(Instant since, Duration silenceLimit, Instant now) {
            if (idle()) {
                return connectedAt != null && !now.isAfter(connectedAt.plus(silenceLimit));
            }
            Instant last = at.isAfter(since) ? at : since;
            return !now.isAfter(last.plus(silenceLimit));
        }
    }
}
