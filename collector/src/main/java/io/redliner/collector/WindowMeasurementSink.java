// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Gives the windows what sources measure.
 *
 * @param instances that sources look at
 */
record WindowMeasurementSink(WindowAggregator windows, LocalInstances instances,
        InstantSource clock) implements MeasurementSink {

    @Override
    public void take(List<GaugeMeasurement> measurements) {
        windows.measure(measurements, clock.instant());
    }

    @Override
    public void measuredUntil(String source, Instant until) {
        windows.measuredUntil(source, instances.services(), until);
    }
}
