// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The redirectors of the service: when each was heard of, and up to which lease each followed. Several may stand side by
 * side, with the proxies connected to any of them: one without a proxy neither applies a lease nor holds up a run. One
 * that has not said yet whether it has any is waited for.
 *
 * @param known by name
 */
public record Redirectors(SortedMap<String, Heard> known) {

    /** How many signs of life are noted at most in the time after which silence counts. */
    private static final int SIGNS_OF_LIFE = 10;

    public Redirectors {
        known = Collections.unmodifiableSortedMap(new TreeMap<>(known));
    }

    /** Redirectors that were alive when the run was submitted; which of them has a proxy is not known yet. */
    static Redirectors alive(Collection<String> names, Instant now) {
        SortedMap<String, Heard> known = new TreeMap<>();
        names.forEach(name -> known.put(name,
                new Heard(now, 0, false, "redirector " + name + " has not answered yet", null, null)));
        return new Redirectors(known);
    }

    /**
     * After a report, of this run or of another: both are signs of life. One that says nothing new, shortly after the one
     * before, is not taken note of: so a redirector may seem silent for a little longer than it is, and never shorter.
     */
    Redirectors heard(RedirectorReport report, RunFacts facts, Instant now) {
        SortedMap<String, Heard> next = new TreeMap<>(known);
        Heard before = known.get(report.redirector());
        boolean connected = report.anyProxyConnected();
        long applied = before == null ? 0 : before.applied();
        boolean restored = before != null && before.restored();
        String said = before == null ? report.describe() : before.said();
        Instant connectedAt = connected || (before != null && Boolean.TRUE.equals(before.connected()))
                ? now
                : before == null ? null : before.connectedAt();
        if (report.speaksOf(facts)) {
            said = report.describe();
            applied = connected && report.state() == ReportedLeaseState.APPLIED
                    ? Math.max(applied, report.leaseSequence())
                    : applied;
        }
        Heard after = new Heard(now, applied, restored, said, connected, connectedAt);
        if (before != null && before.sameNewsAs(after) && after.at().isBefore(before.at().plus(
                facts.times().redirectorSilence().dividedBy(SIGNS_OF_LIFE)))) {
            return this;
        }
        next.put(report.redirector(), after);
        return new Redirectors(next);
    }

    /** After a redirector proved that all its proxies are natural again. */
    Redirectors restored(String redirector) {
        SortedMap<String, Heard> next = new TreeMap<>(known);
        next.computeIfPresent(redirector, (name, heard) -> new Heard(heard.at(), heard.applied(), true, heard.said(),
                heard.connected(), heard.connectedAt()));
        return new Redirectors(next);
    }

    /** With signs of life that another controller had of them. */
    Redirectors heardElsewhere(Collection<String> alive, Instant now) {
        SortedMap<String, Heard> next = new TreeMap<>(alive(alive, now).known());
        known.forEach((name, heard) -> next.put(name, alive.contains(name)
                ? new Heard(now, heard.applied(), heard.restored(), heard.said(), heard.connected(),
                        heard.connectedAt())
                : heard));
        return new Redirectors(next);
    }

    /** With all proofs withdrawn: the run has a new epoch. */
    Redirectors unproven() {
        SortedMap<String, Heard> next = new TreeMap<>();
        known.forEach((name, heard) -> next.put(name,
                new Heard(heard.at(), 0, false, heard.said(), null, heard.connectedAt())));
        return new Redirectors(next);
    }

    /** The lease that all who may have proxies have applied; 0 when one of them, or nobody, has applied any. */
    long applied(Duration patience, Instant now) {
        return counting(patience, now).mapToLong(Heard::applied).min().orElse(0);
    }

    /**
     * Whether one of those that may have proxies was heard of at this instant or later, and had not applied the lease by then.
     * One that fell silent soon after the lease was sent, with its proxies on their way to another one, is left to the patience
     * with the silent: its last word says nothing of how fast it is.
     */
    boolean slow(long sequence, Instant since, Duration patience, Instant now) {
        return counting(patience, now).anyMatch(heard -> heard.applied() < sequence && !heard.at().isBefore(since));
    }

    /**
     * Whether nobody with a connected proxy has the lease in force any more, and has not had for longer than this.
     * Proxies may be on their way from one redirector to another.
     */
    boolean lost(Duration patience, Instant now) {
        return counting(patience, now).noneMatch(heard -> heard.applied() > 0) && known.values()
                .stream()
                .filter(heard -> heard.applied() > 0)
                .map(Heard::connectedAt)
                .noneMatch(connectedAt -> connectedAt != null && !now.isAfter(connectedAt.plus(patience)));
    }

    /** Those that were heard of lately and whose last word was not that no proxy is connected to them. */
    private Stream<Heard> counting(Duration patience, Instant now) {
        return known.values().stream().filter(heard -> !heard.idle() && heard.alive(patience, now));
    }

    /** One that had the lease in force, with a proxy, by its last word, and has not been heard of for longer than it may. */
    Optional<String> fallenSilent(Duration patience, Instant now) {
        return known.entrySet()
                .stream()
                .filter(entry -> entry.getValue().applied() > 0 && !entry.getValue().idle())
                .filter(entry -> !entry.getValue().alive(patience, now))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** One that has not been heard of for longer than it may. */
    Optional<String> silent(Duration patience, Instant now) {
        return known.entrySet()
                .stream()
                .filter(entry -> !entry.getValue().alive(patience, now))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether another one was heard of lately, to which this one's proxies may have gone. */
    boolean othersAlive(String redirector, Duration patience, Instant now) {
        return known.entrySet()
                .stream()
                .anyMatch(entry -> !entry.getKey().equals(redirector) && entry.getValue().alive(patience, now));
    }

    /** Whether every one that can still be waited for proved natural traffic, and at least one did. */
    boolean allRestored(Instant since, Duration patience, Instant now) {
        boolean waiting = known.values().stream()
                .anyMatch(heard -> !heard.restored() && heard.awaited(since, patience, now));
        return !waiting && known.values().stream().anyMatch(Heard::restored);
    }

    /** What those say that have not applied the lease; those without proxies only when nobody has any. */
    String behind(long sequence) {
        if (known.isEmpty()) {
            return "no redirector has been heard of";
        }
        boolean allIdle = known.values().stream().allMatch(Heard::idle);
        return known.values()
                .stream()
                .filter(heard -> allIdle || (!heard.idle() && heard.applied() < sequence))
                .map(Heard::said)
                .collect(Collectors.joining("; "));
    }

    /**
     * One redirector.
     *
     * @param at when it was heard of last
     * @param applied the highest lease sequence of the run's epoch that it has in force, 0 for none
     * @param restored whether it proved that its proxies are natural again
     * @param said its last words on this run
     * @param connected whether a proxy of the service is connected to it; absent while it has not said
     * @param connectedAt until when one was, or may have been; absent when none ever was
     */
    public record Heard(Instant at, long applied, boolean restored, String said, @Nullable Boolean connected,
            @Nullable Instant connectedAt) {

        /** Has no proxy, so nothing depends on it. */
        boolean idle() {
            return connected != null && !connected;
        }

        boolean sameNewsAs(Heard other) {
            return applied == other.applied && restored == other.restored && said.equals(other.said)
                    && Objects.equals(connected, other.connected);
        }

        boolean alive(Duration patience, Instant now) {
            return !now.isAfter(at.plus(patience));
        }

        /** One without proxies is waited for as long as those that have left it may follow their last lease. */
        boolean awaited(Instant since, Duration patience, Instant now) {
            if (idle()) {
                return connectedAt != null && !now.isAfter(connectedAt.plus(patience));
            }
            Instant last = at.isAfter(since) ? at : since;
            return !now.isAfter(last.plus(patience));
        }
    }
}
