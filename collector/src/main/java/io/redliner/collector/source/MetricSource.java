// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A source of measurements of instances. It exists when the settings enable it, and measures until it is closed. A new metric source
 * implements this interface, or {@link ScheduledProbe.Probe} when it polls.
 */
public interface MetricSource extends AutoCloseable {

    /** Returns the name in the settings and in health, such as {@code host}; in lower case. */
    String name();

    /** Returns the health of the source. */
    SourceHealth health();

    /** Stops measuring, and waits at most a second for what is under way. */
    @Override
    void close();

    /**
     * The health of a source.
     *
     * @param state whether it measures
     * @param details for people, by name: which targets fail and why, ports, counts; not more than a screenful
     */
    record SourceHealth(State state, Map<String, Object> details) {

        public SourceHealth {
            details = Collections.unmodifiableMap(new TreeMap<>(details));
        }

        /** Creates the health of a source that measures all that it should. */
        public static SourceHealth working(Map<String, Object> details) {
            return new SourceHealth(State.WORKING, details);
        }

        /** Creates the health of a source that cannot measure everything. */
        public static SourceHealth impaired(Map<String, Object> details) {
            return new SourceHealth(State.IMPAIRED, details);
        }

        /** Creates the health of a source that has stopped measuring, and will not start again by itself. */
        public static SourceHealth dead(Map<String, Object> details) {
            return new SourceHealth(State.DEAD, details);
        }

        /** States of a source. */
        public enum State {
            /** It measures all that it should. */
            WORKING,
            /** It cannot measure everything. */
            IMPAIRED,
            /** It has stopped measuring. */
            DEAD
        }
    }
}
