// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What one look measures, all of it of the same time. */
final class JvmSampleSet {

    private final InstanceId subject;

    private final Instant from;

    private final Instant to;

    private final Duration hold;

    private final List<GaugeMeasurement> measured = new ArrayList<>();

    /**
     * @param from the last look
     * @param to this one
     * @param hold until the next
     */
    JvmSampleSet(InstanceId subject, Instant from, Instant to, Duration hold) {
        this.subject = subject;
        this.from = from;
        this.to = to;
        this.hold = hold;
    }

    Instant to() {
        return to;
    }

    /** Between the looks, above 0. */
    double seconds() {
        return Math.max(1e-3, Duration.between(from, to).toNanos() / 1e9);
    }

    /** Of the time since the last look. */
    void over(String name, double value) {
        measured.add(new GaugeMeasurement(subject, name, value, from, to, hold));
    }

    /** As {@link #over(String, double)}, when it could be measured. */
    void over(String name, OptionalDouble value) {
        value.ifPresent(known -> over(name, known));
    }

    /** As it is now. */
    void at(String name, double value) {
        at(name, value, hold);
    }

    /** As it is now and for some time. */
    void at(String name, double value, Duration holds) {
        measured.add(new GaugeMeasurement(subject, name, value, to, to, holds));
    }

    /** Something that took that long and is over. */
    void event(String name, double value, Instant begin, Instant end) {
        measured.add(new GaugeMeasurement(subject, name, value, begin, end, Duration.ZERO));
    }

    List<GaugeMeasurement> measured() {
        return measured;
    }
}
