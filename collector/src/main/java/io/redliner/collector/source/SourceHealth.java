// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a source is.
 *
 * @param state whether it measures
 * @param details what people want to know, by name: which targets fail and why, ports, counts; not more than a screenful
 */
public record SourceHealth(State state, Map<String, Object> details) {

    public SourceHealth {
        details = Collections.unmodifiableMap(new TreeMap<>(details));
    }

    /** It measures all that it should. */
    public static SourceHealth working(Map<String, Object> details) {
        return new SourceHealth(State.WORKING, details);
    }

    /** Something that it should measure it cannot. */
    public static SourceHealth impaired(Map<String, Object> details) {
        return new SourceHealth(State.IMPAIRED, details);
    }

    /** It measures nothing any more, and will not by itself. */
    public static SourceHealth dead(Map<String, Object> details) {
        return new SourceHealth(State.DEAD, details);
    }

    /** Whether a source measures. */
    public enum State {
        /** All that it should. */
        WORKING,
        /** Not all that it should. */
        IMPAIRED,
        /** Nothing any more. */
        DEAD
    }
}
