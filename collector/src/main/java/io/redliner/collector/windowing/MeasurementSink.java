// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Instant;
import java.util.List;

/** Takes measurements, from any thread, and never waits for long. */
@FunctionalInterface
public interface MeasurementSink {

    /** Takes measurements; the sink counts those that it cannot use. */
    void take(List<GaugeMeasurement> measurements);

    /**
     * Notes that a source has delivered everything that it measured until this time.
     *
     * @param source its name
     */
    default void measuredUntil(String source, Instant until) {}
}
