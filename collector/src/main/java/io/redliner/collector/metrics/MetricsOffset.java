// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Measures how far the times of points are from the collector's clock, where that is so far that they fit no window. A rule on
 * such a metric then has that reason, and not that no source reports the metric.
 */
public final class MetricsOffset {

    /** Measurements that are ahead by more fit no window. */
    public static final Duration TOLERANCE = Duration.ofSeconds(10);

    private static final String NAME = "metrics.offset";

    private MetricsOffset() {}

    /**
     * Measures how far the newest point is ahead of the clock, in seconds, below 0 behind; empty while points fit windows.
     *
     * @param now by this machine's clock
     * @param hold see {@link MetricTranslator#translate}
     */
    public static List<GaugeMeasurement> measure(InstanceId instanceId, List<MetricPoint> points, Instant now,
            Duration hold) {
        Optional<Duration> ahead = points.stream().map(MetricPoint::time).max(Comparator.naturalOrder())
                .map(newest -> Duration.between(now, newest))
                .filter(off -> off.compareTo(TOLERANCE) > 0 || off.negated().compareTo(InstanceSeries.MAX_AGE) > 0);
        return ahead.map(off -> new GaugeMeasurement(instanceId, NAME, off.toSeconds(), now, now, hold)).stream()
                .toList();
    }
}
