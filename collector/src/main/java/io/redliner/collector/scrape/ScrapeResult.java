// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.metrics.MetricPoint;
import java.util.ArrayList;
import java.util.List;

/** The points of one scrape, up to a maximum number of samples. */
final class ScrapeResult {

    private final List<MetricPoint> points = new ArrayList<>();

    private final int maxSamples;

    private long samples;

    private long cut;

    private long ignored;

    /**
     * Creates an empty result.
     *
     * @param maxSamples maximum number of samples, as lines of the text format; further ones are cut off
     */
    ScrapeResult(int maxSamples) {
        this.maxSamples = maxSamples;
    }

    /** Counts a sample, and returns whether there is room for it. Once a sample was dropped, later ones are dropped too. */
    boolean admits() {
        if (cut > 0 || samples >= maxSamples) {
            cut++;
            return false;
        }
        samples++;
        return true;
    }

    /** Counts admitted samples as cut, because they belong to a series that was cut in the middle. */
    void cut(long more) {
        samples -= more;
        cut += more;
    }

    /** Counts a sample that is no measurement. */
    void ignore() {
        ignored++;
    }

    void add(MetricPoint point) {
        points.add(point);
    }

    List<MetricPoint> points() {
        return points;
    }

    /** Returns the number of samples that were read. */
    long samples() {
        return samples;
    }

    /** Returns the number of samples that were cut off. */
    long cut() {
        return cut;
    }

    /** Returns the number of samples among those read that are no measurement, such as an info. */
    long ignored() {
        return ignored;
    }
}
