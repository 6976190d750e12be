// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.run.WindowVerdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Verdicts that wait for the worker. A verdict that was fresh when it came and became too old while it waited is skipped,
 * because newer ones wait behind it. A verdict that broke a guard is never skipped. A worker that was held up therefore finds
 * only fresh verdicts. Any thread adds, one thread takes.
 */
final class VerdictQueue {

    /** The waiting verdicts of each service with their instants of arrival, in this order. A repeated verdict is kept once. */
    private final Map<String, Map<WindowVerdict, Instant>> waiting = new HashMap<>();

    private final InstantSource clock;

    private final Runnable skipped;

    /** @param skipped called for each verdict that is skipped */
    VerdictQueue(InstantSource clock, Runnable skipped) {
        this.clock = clock;
        this.skipped = skipped;
    }

    /** Adds a verdict. Returns true when no other verdict of the service was waiting. */
    synchronized boolean add(String service, WindowVerdict verdict) {
        Instant now = clock.instant();
        boolean first = !waiting.containsKey(service);
        Map<WindowVerdict, Instant> verdicts = waiting.computeIfAbsent(service, name -> new LinkedHashMap<>());
        skipTooOld(verdicts, now);
        verdicts.putIfAbsent(verdict, now);
        return first;
    }

    /** Removes and returns the waiting verdicts of a service, in the order of their arrival. */
    synchronized List<WindowVerdict> take(String service) {
        Map<WindowVerdict, Instant> taken = waiting.remove(service);
        if (taken == null) {
            return List.of();
        }
        skipTooOld(taken, clock.instant());
        return List.copyOf(taken.keySet());
    }

    private void skipTooOld(Map<WindowVerdict, Instant> verdicts, Instant now) {
        verdicts.entrySet().removeIf(entry -> {
            WindowVerdict verdict = entry.getKey();
            boolean tooOld = verdict.fresh(entry.getValue()) && !verdict.fresh(now) && verdict.brokenGuard().isEmpty();
            if (tooOld) {
                skipped.run();
            }
            return tooOld;
        });
    }
}
