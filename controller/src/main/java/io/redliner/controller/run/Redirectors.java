// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.Collection;
import java.util.Collections;

/**
 * The redirectors of the service: when each was heard of, and up to which lease each followed.
 *
 * @param known by name
 */
public record Redirectors(SortedMap<String, Heard> known) {

    public Redirectors {
        known = Collections.unmodifiableSortedMap(new TreeMap<>(known));
    }

    /** Redirectors that were alive when the run was submitted. */
    static Redirectors alive(Collection<String> names, Instant now) {
        SortedMap<String, Heard> known = new TreeMap<>();
        names.forEach(
                name -> known.put(name, new Heard(now, 0, false, "redirector " + name + " has not answered yet")));
        return new Redirectors(known);
    }

    /** After a report, of this run or of another: both are signs of life. */
    Redirectors heard(RedirectorReport report, RunFacts facts, Instant now) {
        SortedMap<String, Heard> next = new TreeMap<>(known);
        Heard before = known.get(report.redirector());
        long applied = before == null ? 0 : before.applied();
        boolean restored = before != null && before.restored();
        String said = before == null ? report.described() : before.said();
        if (report.speaksOf(facts)) {
            said = report.described();
            applied = report.state() == LeaseState.APPLIED ? Math.max(applied, report.leaseSequence()) : applied;
        }
        next.put(report.redirector(), new Heard(now, applied, restored, said));
        return new Redirectors(next);
    }

    /** After a redirector proved that all its proxies are natural again. */
    Redirectors restored(String redirector) {
        SortedMap<String, Heard> next = new TreeMap<>(known);
        next.computeIfPresent(redirector, (name, heard) -> new Heard(heard.at(), heard.applied(), true, heard.said()));
        return new Redirectors(next);
    }

    /** With all proofs withdrawn: the run has a new epoch. */
    Redirectors unproven() {
        SortedMap<String, Heard> next = new TreeMap<>();
        known.forEach((name, heard) -> next.put(name, new Heard(heard.at(), 0, false, heard.said())));
        return new Redirectors(next);
    }

    /** The lease that all of them have applied; 0 when one has applied none. */
    long appliedByAll() {
        return known.values().stream().mapToLong(Heard::applied).min().orElse(0);
    }

    /** One that has not been heard of for longer than it may. */
    Optional<String> silent(Duration patience, Instant now) {
        return known.entrySet()
                .stream()
                .filter(entry -> now.isAfter(entry.getValue().at().plus(patience)))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether every one that can still be waited for proved natural traffic, and at least one did. */
    boolean allRestored(Instant since, Duration patience, Instant now) {
        boolean waiting = known.values().stream()
                .anyMatch(heard -> !heard.restored() && heard.awaited(since, patience, now));
        return !waiting && known.values().stream().anyMatch(Heard::restored);
    }

    /** What those say that have not applied the lease. */
    String behind(long sequence) {
        if (known.isEmpty()) {
            return "no redirector has been heard of";
        }
        return known.values()
                .stream()
                .filter(heard -> heard.applied() < sequence)
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
     */
    public record Heard(Instant at, long applied, boolean restored, String said) {

        boolean awaited(Instant since, Duration patience, Instant now) {
            Instant last = at.isAfter(since) ? at : since;
            return !now.isAfter(last.plus(patience));
        }
    }
}
