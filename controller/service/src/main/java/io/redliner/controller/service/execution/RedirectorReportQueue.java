// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.run.RedirectorReport;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reports that wait for the worker. Each report of a redirector has its whole state, so a newer report replaces a waiting one
 * unless a change would be lost. After a delay the worker therefore gets the present state first, and its queue does not
 * grow with time. One thread adds, another takes.
 */
final class RedirectorReportQueue {

    private final Map<Sender, Place> newest = new ConcurrentHashMap<>();

    private record Sender(String service, String redirector) {}

    /** The entry of one redirector in the queue. A newer report replaces the waiting one. */
    final class Place {

        private final Sender sender;

        private final AtomicReference<@Nullable RedirectorReport> report;

        private Place(Sender sender, RedirectorReport report) {
            this.sender = sender;
            this.report = new AtomicReference<>(report);
        }

        /** Removes and returns the waiting report; empty when there is none. */
        Optional<RedirectorReport> take() {
            newest.remove(sender, this);
            return Optional.ofNullable(report.getAndSet(null));
        }
    }

    /** Adds a report. Returns its new place, or empty when it replaced an older report that still waits. */
    Optional<Place> add(String service, RedirectorReport report) {
        Sender sender = new Sender(service, report.redirector());
        Place waiting = newest.get(sender);
        if (waiting != null) {
            RedirectorReport older = waiting.report.get();
            if (older != null && replaces(older, report) && waiting.report.compareAndSet(older, report)) {
                return Optional.empty();
            }
        }
        Place place = new Place(sender, report);
        newest.put(sender, place);
        return Optional.of(place);
    }

    /** A report of a change is never replaced by a report without it: a failure reaches the worker also when it is over. */
    private static boolean replaces(RedirectorReport older, RedirectorReport newer) {
        return older.state() == newer.state() && older.epoch() == newer.epoch()
                && older.runId().equals(newer.runId()) && newer.changes().containsAll(older.changes());
    }
}
