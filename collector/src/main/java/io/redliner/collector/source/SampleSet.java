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

/** What one look brought: values, and reasons why some are missing. */
public final class SampleSet {

    private final Instant now;

    private final Instant next;

    private final List<Reading> values = new ArrayList<>();

    private final Set<String> missing = new LinkedHashSet<>();

    /**
     * @param now the time of the look
     * @param next when the next is expected
     */
    public SampleSet(Instant now, Instant next) {
        this.now = now;
        this.next = next;
    }

    /** The time of the look. */
    public Instant now() {
        return now;
    }

    /**
     * What is so at this moment.
     *
     * @param pace how long it takes until it is read again, if that is not at each look
     */
    public void level(String name, double value, Duration pace) {
        values.add(new Reading(name, value, now, hold(pace)));
    }

    /** A part, 0 to 1; the files are not read all at one moment, so that a little more can come out. */
    public void ratio(String name, double value, Instant from, Duration pace) {
        over(name, Math.min(1, value), from, pace);
    }

    /** What was so since then. */
    public void over(String name, double value, Instant from, Duration pace) {
        values.add(new Reading(name, value, from, hold(pace)));
    }

    /** Says why something is not there. */
    public void missing(String reason) {
        missing.add(reason);
    }

    /** Begins another one of the same look. */
    public SampleSet part() {
        return new SampleSet(now, next);
    }

    /** Takes over all of a part. */
    public void add(SampleSet part) {
        values.addAll(part.values);
        missing.addAll(part.missing);
    }

    /** Half as long again as until the next value. */
    private Duration hold(Duration pace) {
        Duration look = Duration.between(now, next);
        return (look.compareTo(pace) > 0 ? look : pace).multipliedBy(3).dividedBy(2);
    }

    /** The values, as those of an instance. */
    public List<GaugeMeasurement> of(InstanceId subject) {
        return values.stream().map(it -> new GaugeMeasurement(subject, it.name, it.value, it.from, now, it.hold))
                .toList();
    }

    /** Why something is not there. */
    public Set<String> missing() {
        return missing;
    }

    private record Reading(String name, double value, Instant from, Duration hold) {}
}
