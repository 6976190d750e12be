// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.GaugeMeasurement;
import java.time.Instant;
import java.util.List;

/** Something that is looked at again and again, see {@link ScheduledProbe}. For one thread. */
public interface Probe extends AutoCloseable {

    /** As in the settings and in health, such as {@code host}; in lower case. */
    String name();

    /**
     * Looks once. What is measured between two looks, such as a rate, is of the time since the last one.
     *
     * @param now the time of this look
     * @param next when the next look is expected: what is measured should be held a little longer than until then
     * @throws ProbeFailedException when something that should be measured could not be; it carries what could
     */
    List<GaugeMeasurement> look(Instant now, Instant next) throws ProbeFailedException;

    @Override
    default void close() {}
}
