// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.run.WindowVerdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Verdicts that wait for the worker. A verdict that was fresh when it came and became too old while it waited is skipped,
 * because newer ones wait behind it. A verdict that broke a guard is never skipped. A worker that was held up therefore finds
 * only fresh verdicts. Any thread adds, one thread takes.
 */
final class VerdictQueue {

    private final Map<String, Deque<Entry>> waiting = new HashMap<>();

    private final InstantSource clock;

    private final Runnable skipped;

    /** @param skipped called for each verdict that is skipped */
    VerdictQueue(InstantSource clock, Runnable skipped) {
        this.clock = clock;
        this.skipped = skipped;
    }

    private record Entry(WindowVerdict verdict, Instant at) {

        boolean tooOldNow(Instant now) {
            return verdict.fresh(at) && !verdict.fresh(now) && verdict.brokenGuard().isEmpty();
        }
    }

    /** Adds a verdict. Returns true when no other verdict of the service was waiting. */
    synchronized boolean add(String service, WindowVerdict verdict) {
        Instant now = clock.instant();
        Deque<Entry> earlier = waiting.get(service);
        Deque<Entry> all = earlier == null ? new ArrayDeque<>() : earlier;
        skipTooOld(all, now);
        all.add(new Entry(verdict, now));
        waiting.put(service, all);
        return earlier == null;
    }

    /** Takes the verdicts that wait for a service, in the order in which they came. */
    synchronized List<WindowVerdict> take(String service) {
        Deque<Entry> taken = waiting.remove(service);
        if (taken == null) {
            return List.of();
        }
        skipTooOld(taken, clock.instant());
        return taken.stream().map(Entry::verdict).toList();
    }

    private void skipTooOld(Deque<Entry> verdicts, Instant now) {
        verdicts.removeIf(entry -> {
            boolean tooOld = entry.tooOldNow(now);
            if (tooOld) {
                skipped.run();
            }
            return tooOld;
        });
    }
}
