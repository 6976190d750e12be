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
 * Passes the measurements of sources to the windows.
 *
 * @param instances the instances that sources measure
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
