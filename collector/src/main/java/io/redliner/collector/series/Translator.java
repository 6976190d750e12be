// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import io.redliner.collector.window.Measurement;
import io.redliner.collector.window.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Turns the points of instances' series into measurements: known ones into RedLiner's own names, such as {@code gc.pause},
 * all others into custom gauges. What only grows becomes what came on top since the last look: a rate per second; of a
 * histogram the rate, the mean and quantiles. Keeps what it needs for that of each series, within bounds. For any number of
 * threads; one for each way that points come in, for the ways do not know of each other's last look.
 */
public final class Translator {

    private final String name;

    private final SeriesLedger ledger = new SeriesLedger();

    /**
     * Knows nothing yet.
     *
     * @param name of the way that points come in, such as {@code otlp}: the label of its counters
     */
    public Translator(String name, SeriesSettings settings) {
        this.name = name;
    }

    /** Of the way that points come in. */
    public String name() {
        return name;
    }

    /**
     * One look at an instance.
     *
     * @param points what its series said; best all of it in one call, for some measurements need several series. Several
     *        points of one series are in the order of their times.
     * @param now what this machine's clock says; only for what is forgotten when it has not been heard of for long
     * @param hold how long the values are taken for true when nothing newer comes: a little more than the time to the next
     *        look
     */
    public List<Measurement> translate(Subject subject, List<Point> points, Instant now, Duration hold) {
        return List.of();
    }

    /** Where the points went. */
    public SeriesLedger ledger() {
        return ledger;
    }

    /** Of each instance that has more names than it may have: some of those that are not measured; of ten instances at most. */
    public Map<Subject, List<String>> refused() {
        return Map.of();
    }

    /** Series that something is kept of. */
    public long series() {
        return 0;
    }
}
