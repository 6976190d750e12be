// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Instant;
import java.util.List;

/** Takes measurements, from any thread, and never waits for long. */
@FunctionalInterface
public interface MeasurementSink {

    /** Takes some; the sink counts what it cannot use. */
    void take(List<GaugeMeasurement> measurements);

    /**
     * All that a source measures until then has been taken.
     *
     * @param source its name
     */
    default void measuredUntil(String source, Instant until) {}
}
