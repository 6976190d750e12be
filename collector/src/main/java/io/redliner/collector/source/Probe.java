// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.GaugeMeasurement;
import java.time.Instant;
import java.util.List;

/** Measures something at regular times, see {@link ScheduledProbe}. For one thread. */
public interface Probe extends AutoCloseable {

    /** Returns the name in the settings and in health, such as {@code host}; in lower case. */
    String name();

    /**
     * Measures once. A value between two polls, such as a rate, covers the time since the last one.
     *
     * @param now the time of this poll
     * @param next when the next poll is expected: values should be held a little longer than until then
     * @throws ProbeFailedException when something that should be measured could not be; it carries the other measurements
     */
    List<GaugeMeasurement> look(Instant now, Instant next) throws ProbeFailedException;

    @Override
    default void close() {}
}
