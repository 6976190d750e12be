// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The measurements of one poll, all with the same time. */
final class JvmSampleSet {

    private final InstanceId instanceId;

    private final Instant from;

    private final Instant to;

    private final Duration hold;

    private final List<GaugeMeasurement> measured = new ArrayList<>();

    /**
     * Creates an empty set.
     *
     * @param from the last poll
     * @param to this poll
     * @param hold until the next poll
     */
    JvmSampleSet(InstanceId instanceId, Instant from, Instant to, Duration hold) {
        this.instanceId = instanceId;
        this.from = from;
        this.to = to;
        this.hold = hold;
    }

    Instant to() {
        return to;
    }

    /** Returns the time between the polls, above 0. */
    double seconds() {
        return Math.max(1e-3, Duration.between(from, to).toNanos() / 1e9);
    }

    /** Adds a value that covers the time since the last poll. */
    void over(String name, double value) {
        measured.add(new GaugeMeasurement(instanceId, name, value, from, to, hold));
    }

    /** Adds a value like {@link #over(String, double)}, when it is known. */
    void over(String name, OptionalDouble value) {
        value.ifPresent(known -> over(name, known));
    }

    /** Adds a value of this instant. */
    void at(String name, double value) {
        at(name, value, hold);
    }

    /** Adds a value of this instant that holds for a time of its own. */
    void at(String name, double value, Duration holds) {
        measured.add(new GaugeMeasurement(instanceId, name, value, to, to, holds));
    }

    /** Adds an event that is over. */
    void event(String name, double value, Instant begin, Instant end) {
        measured.add(new GaugeMeasurement(instanceId, name, value, begin, end, Duration.ZERO));
    }

    List<GaugeMeasurement> measured() {
        return measured;
    }
}
