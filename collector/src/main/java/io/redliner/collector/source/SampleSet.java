// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The values of one poll, and the reasons why some are missing. */
public final class SampleSet {

    private final Instant now;

    private final Instant next;

    private final List<Reading> values = new ArrayList<>();

    private final Set<String> missing = new LinkedHashSet<>();

    /**
     * Creates an empty set.
     *
     * @param now the time of the poll
     * @param next when the next is expected
     */
    public SampleSet(Instant now, Instant next) {
        this.now = now;
        this.next = next;
    }

    /** Returns the time of the poll. */
    public Instant now() {
        return now;
    }

    /**
     * Adds a value measured at this poll.
     *
     * @param pace the interval of the value, if it is not read at each poll
     */
    public void level(String name, double value, Duration pace) {
        values.add(new Reading(name, value, now, hold(pace)));
    }

    /**
     * Adds a ratio over the time since {@code from}, at most 1: the files are read one after another, so the quotient may exceed 1
     * a little.
     */
    public void ratio(String name, double value, Instant from, Duration pace) {
        over(name, Math.min(1, value), from, pace);
    }

    /** Adds a value that covers the time since {@code from}. */
    public void over(String name, double value, Instant from, Duration pace) {
        values.add(new Reading(name, value, from, hold(pace)));
    }

    /** Adds the reason why a value is missing. */
    public void missing(String reason) {
        missing.add(reason);
    }

    /** Creates an empty set of the same poll. */
    public SampleSet part() {
        return new SampleSet(now, next);
    }

    /** Adds the values and reasons of a part. */
    public void add(SampleSet part) {
        values.addAll(part.values);
        missing.addAll(part.missing);
    }

    /** Returns how long a value is valid: one and a half intervals of its polls. */
    private Duration hold(Duration pace) {
        Duration interval = Duration.between(now, next);
        return (interval.compareTo(pace) > 0 ? interval : pace).multipliedBy(3).dividedBy(2);
    }

    /** Returns the values as measurements of an instance. */
    public List<GaugeMeasurement> measurements(InstanceId instanceId) {
        return values.stream().map(it -> new GaugeMeasurement(instanceId, it.name, it.value, it.from, now, it.hold))
                .toList();
    }

    /** Returns the reasons why values are missing. */
    public Set<String> missing() {
        return missing;
    }

    private record Reading(String name, double value, Instant from, Duration hold) {}
}
