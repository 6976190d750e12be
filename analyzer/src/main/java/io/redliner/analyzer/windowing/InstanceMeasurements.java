// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The measurements of one instance in one window, by one collector or merged from several.
 *
 * @param measured over the window
 * @param inFlight requests at the instance when the window ended
 * @param outside started requests that the lease in force did not address: its share does not apply to them
 * @param ownLimits limits that RedLiner chose and that ended requests in the last minute, one of each collector
 * @param histories latencies before the run, one of each collector that reports them in this window
 * @param hosts names of the machine that the instance runs on, as collectors report them; empty when none knows it
 */
public record InstanceMeasurements(WindowStats measured, long inFlight, long outside, List<OwnLimitEnds> ownLimits,
        List<LatencyHistory> histories, Set<String> hosts) {

    public InstanceMeasurements {
        ownLimits = List.copyOf(ownLimits);
        histories = List.copyOf(histories);
        hosts = Collections.unmodifiableSet(new TreeSet<>(hosts));
        if (outside < 0 || outside > measured.started()) {
            throw new IllegalArgumentException(
                    outside + " requests of " + measured.started() + " are outside of the lease");
        }
    }

    /** Creates measurements without own limits, histories and hosts, in which the lease addresses all requests. */
    public InstanceMeasurements(WindowStats measured, long inFlight) {
        this(measured, inFlight, 0, List.of(), List.of(), Set.of());
    }

    /** Returns the started requests that the lease addresses. */
    public long addressed() {
        return measured.started() - outside;
    }

    /** Merges what several collectors measured at one instance; their order is kept. */
    static InstanceMeasurements merged(List<InstanceMeasurements> parts) {
        return parts.size() == 1
                ? parts.getFirst()
                : new InstanceMeasurements(
                        WindowStats.mergeInstances(parts.stream().map(InstanceMeasurements::measured).toList()),
                        parts.stream().mapToLong(InstanceMeasurements::inFlight).sum(),
                        parts.stream().mapToLong(InstanceMeasurements::outside).sum(),
                        parts.stream().flatMap(part -> part.ownLimits().stream()).toList(),
                        parts.stream().flatMap(part -> part.histories().stream()).toList(),
                        parts.stream().flatMap(part -> part.hosts().stream()).collect(Collectors.toSet()));
    }
}
