// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.metrics.MetricPoint;
import java.util.ArrayList;
import java.util.List;

/** What one answer says: its points, up to a number of samples. */
final class ScrapeResult {

    private final List<MetricPoint> points = new ArrayList<>();

    private final int maxSamples;

    private long samples;

    private long cut;

    private long ignored;

    /** @param maxSamples lines of text, or as many as the same would be in text; what comes after them is cut off */
    ScrapeResult(int maxSamples) {
        this.maxSamples = maxSamples;
    }

    /** Whether there is room for another sample; counts it either way. After one without room there is none for others. */
    boolean admits() {
        if (cut > 0 || samples >= maxSamples) {
            cut++;
            return false;
        }
        samples++;
        return true;
    }

    /** A sample that was admitted belongs to something that was cut in the middle. */
    void cut(long more) {
        samples -= more;
        cut += more;
    }

    /** A sample that is no measurement. */
    void ignore() {
        ignored++;
    }

    void add(MetricPoint point) {
        points.add(point);
    }

    List<MetricPoint> points() {
        return points;
    }

    /** Samples that were read. */
    long samples() {
        return samples;
    }

    /** Samples beyond those that are read. */
    long cut() {
        return cut;
    }

    /** Of those that were read: what is no measurement, such as an info. */
    long ignored() {
        return ignored;
    }
}
