// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.window.Measurement;
import io.redliner.collector.window.Measurements;
import io.redliner.collector.window.Windows;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Gives the windows what sources measure.
 *
 * @param instances that sources look at
 */
record WindowMeasurements(Windows windows, LocalInstances instances, InstantSource clock) implements Measurements {

    @Override
    public void take(List<Measurement> measurements) {
        windows.measure(measurements, clock.instant());
    }

    @Override
    public void measuredUntil(String source, Instant until) {
        windows.measuredUntil(source, instances.services(), until);
    }
}
