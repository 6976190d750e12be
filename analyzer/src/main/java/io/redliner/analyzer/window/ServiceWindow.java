// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.window;

import io.redliner.sla.Measured;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One window of a service, from all collectors.
 *
 * @param startMillis since the epoch
 * @param length positive
 * @param instances by address as host:port
 * @param missing instances of which a collector that had reported lately did not report now, with that collector
 */
public record ServiceWindow(long startMillis, Duration length, Map<String, Seen> instances,
        Map<String, String> missing) {

    /**
     * One instance, as all collectors together saw it.
     *
     * @param inFlight requests at the instance when the window ended
     */
    public record Seen(Measured measured, long inFlight) {}

    public ServiceWindow {
        instances = Map.copyOf(instances);
        missing = Map.copyOf(missing);
    }

    /** All instances but one together; empty when there are none. */
    public Optional<Measured> allBut(String instance) {
        return together(address -> !address.equals(instance));
    }

    /** All instances together; empty when there are none. */
    public Optional<Measured> all() {
        return together(address -> true);
    }

    /** Requests at all instances but one when the window ended. */
    public long inFlightBut(String instance) {
        return instances.entrySet().stream().filter(entry -> !entry.getKey().equals(instance))
                .mapToLong(entry -> entry.getValue().inFlight()).sum();
    }

    private Optional<Measured> together(Predicate<String> address) {
        List<Measured> parts = instances.entrySet().stream().filter(entry -> address.test(entry.getKey()))
                .map(entry -> entry.getValue().measured()).toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(Measured.together(parts));
    }
}
