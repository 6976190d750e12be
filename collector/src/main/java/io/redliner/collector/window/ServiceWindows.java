// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The windows of one service. Owned by {@link Windows}, whose lock guards it. */
final class ServiceWindows {

    private final String service;

    private final WindowSettings settings;

    private final RecordLedger ledger;

    private final WindowGrid grid;

    private final OpenWindows open = new OpenWindows();

    private final InFlightRequests inFlight;

    private final Map<String, KnownInstance> instances = new TreeMap<>();

    private final Set<ProxyStream> streams = new HashSet<>();

    private List<Duration> limits = List.of();

    /** Where the oldest window that is not sealed begins, in milliseconds since the epoch. */
    private long unsealed;

    private long sequence;

    ServiceWindows(String service, WindowSettings settings, RecordLedger ledger, Instant now) {
        this.service = service;
        this.settings = settings;
        this.ledger = ledger;
        grid = new WindowGrid(settings.length().toMillis());
        inFlight = new InFlightRequests(settings.maxInFlight(), ledger);
        unsealed = grid.startOf(now.minus(settings.grace()).toEpochMilli());
    }

    void open(ProxyStream stream) {
        streams.add(stream);
    }

    void close(ProxyStream stream, Instant now) {
        streams.remove(stream);
        inFlight.forgetStream(stream, now);
        instances.values().removeIf(instance -> !instance.watchedWithout(stream));
    }

    void focus(Focus focus, Instant now) {
        limits = focus.latencyLimits();
        inFlight.keepOnly(limits);
        long length = commonLength(settings.length().toMillis(), focus.windowLength().toMillis());
        grid.change(length, grid.endOf(open.newest(Math.max(now.toEpochMilli(), unsealed))));
    }

    void accept(ProxyStream stream, RequestRecord record, Instant now) {
        RecordKind kind = record.kind();
        if (!streams.contains(stream)) {
            ledger.drop(kind, DropReason.NO_STREAM, 1);
        } else if (record.at().isAfter(now.plus(settings.horizon()))) {
            discardEnd(stream, record);
            ledger.drop(kind, DropReason.FUTURE, 1);
        } else if (!remember(stream, record.instance(), now)) {
            discardEnd(stream, record);
            ledger.drop(kind, DropReason.INSTANCES_FULL, 1);
        } else {
            switch (record) {
                case RequestRecord.Started start -> accept(stream, start);
                case RequestRecord.Ended end -> accept(stream, end);
            }
        }
    }

    private void accept(ProxyStream stream, RequestRecord.Started start) {
        if (!inFlight.start(stream, start)) {
            ledger.drop(RecordKind.START, DropReason.IN_FLIGHT_FULL, 1);
            return;
        }
        long time = start.at().toEpochMilli();
        if (time < unsealed) {
            // It is too late to be counted as started, and in flight all the same.
            ledger.drop(RecordKind.START, DropReason.LATE, 1);
            return;
        }
        open.tally(grid.startOf(time), start.instance()).start(start.outside());
    }

    private void accept(ProxyStream stream, RequestRecord.Ended end) {
        long time = end.at().toEpochMilli();
        if (time < unsealed) {
            inFlight.discard(stream, end);
            ledger.drop(RecordKind.END, DropReason.LATE, 1);
            return;
        }
        long windowStart = grid.startOf(time);
        inFlight.end(stream, end, Instant.ofEpochMilli(windowStart));
        open.tally(windowStart, end.instance()).end(end.latency(), end.error());
    }

    private void discardEnd(ProxyStream stream, RequestRecord record) {
        if (record instanceof RequestRecord.Ended end) {
            inFlight.discard(stream, end);
        }
    }

    private boolean remember(ProxyStream stream, String name, Instant now) {
        KnownInstance instance = instances.get(name);
        if (instance == null) {
            if (instances.size() >= settings.maxInstances()) {
                return false;
            }
            instance = new KnownInstance();
            instances.put(name, instance);
        }
        instance.seen(stream, now);
        return true;
    }

    void seal(Instant now, List<SealedWindow> sealed) {
        long due = now.minus(settings.grace()).toEpochMilli();
        long tooOld = due - settings.horizon().toMillis();
        if (unsealed < tooOld) {
            long stalled = grid.startOf(tooOld);
            open.takeBefore(stalled).forEach(tally -> drop(tally, DropReason.STALLED));
            unsealed = stalled;
        }
        inFlight.forgetStartedBefore(now.minus(settings.longestRequest()), now);
        while (grid.endOf(unsealed) <= due) {
            long end = grid.endOf(unsealed);
            sealWindow(Instant.ofEpochMilli(end), sealed);
            unsealed = end;
        }
        grid.forgetBefore(unsealed);
        instances.values().removeIf(instance -> instance.idleSince(now.minus(settings.idleInstance())));
    }

    private void sealWindow(Instant end, List<SealedWindow> sealed) {
        Map<String, Tally> tallies = open.take(unsealed);
        Map<String, Hanging> hanging = inFlight.atEndOf(end, limits);
        instances.forEach((name, instance) -> {
            Tally tally = tallies.remove(name);
            if (tally != null || instance.watchedBefore(end)) {
                sealed.add(sealed(name, end, tally == null ? new Tally() : tally,
                        hanging.getOrDefault(name, new Hanging(limits))));
            }
        });
        tallies.values().forEach(tally -> drop(tally, DropReason.NO_STREAM));
    }

    private SealedWindow sealed(String instance, Instant end, Tally tally, Hanging hanging) {
        ledger.publish(RecordKind.START, tally.started());
        ledger.publish(RecordKind.END, tally.completed());
        sequence++;
        return new SealedWindow(service, instance, sequence, Instant.ofEpochMilli(unsealed),
                Duration.ofMillis(end.toEpochMilli() - unsealed), tally.started(), tally.completed(), tally.errors(),
                tally.latency(), hanging.inFlight(), hanging.overdue(), streams.size(), tally.outside());
    }

    private void drop(Tally tally, DropReason reason) {
        ledger.drop(RecordKind.START, reason, tally.started());
        ledger.drop(RecordKind.END, reason, tally.completed());
    }

    long pending(RecordKind kind) {
        return open.pending(kind);
    }

    int inFlight() {
        return inFlight.size();
    }

    int streams() {
        return streams.size();
    }

    /** The coarsest window that both tile, so that either can be put together from it. */
    private static long commonLength(long ordinary, long wanted) {
        long larger = ordinary;
        long smaller = wanted;
        while (smaller > 0) {
            long rest = larger % smaller;
            larger = smaller;
            smaller = rest;
        }
        return larger < WindowSettings.SHORTEST.toMillis() ? ordinary : larger;
    }
}
