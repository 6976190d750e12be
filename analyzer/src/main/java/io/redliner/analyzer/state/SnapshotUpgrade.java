// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.sla.LatencyHistogram;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings states that earlier builds stored into the form of today, so that live runs survive an upgrade. What an earlier build
 * did not store is what it would have forgotten itself.
 */
public final class SnapshotUpgrade {

    /** The first version that can be read. */
    public static final int OLDEST_VERSION = 2;

    /** Version 4 stores the same states, and what has happened since. */
    private static final int LAST_WITHOUT_STREAMS = 2;

    /** Version 5 stores the search behind a gate, which takes one without. */
    private static final int LAST_WITHOUT_WANDER = 5;

    private static final JsonMapper JSON = JsonMapper.shared();

    private SnapshotUpgrade() {}

    /**
     * One that {@link SnapshotCodec} reads.
     *
     * @param version of the state, from {@link #OLDEST_VERSION} to {@link AnalyzerSnapshot#VERSION}
     */
    public static byte[] upgraded(int version, byte[] state) throws UnusableSnapshotException {
        if (version > LAST_WITHOUT_WANDER) {
            return state;
        }
        try {
            JsonNode root = JSON.readTree(state);
            if (version <= LAST_WITHOUT_STREAMS) {
                addStreams(root);
            }
            if (root.path("run").get("search") instanceof ObjectNode search && search.has("mode")) {
                search.put("wander", Double.NaN);
            }
            return JSON.writeValueAsBytes(root);
        } catch (JacksonException | ClassCastException e) {
            throw new UnusableSnapshotException("it is not of version " + version, e);
        }
    }

    private static void addStreams(JsonNode root) throws UnusableSnapshotException {
        if (!(root.get("windows") instanceof ObjectNode windows)) {
            throw new UnusableSnapshotException("it has no windows");
        }
        windows.path("sources").forEach(source -> ((ObjectNode) source).putNull("watchedStartMillis"));
        windows.putObject("streams").put("whole", 0).putObject("before");
        windows.putArray("misplaced");
        if (root.path("run").get("baseline") instanceof ObjectNode baseline) {
            baseline.put("firstByte", LatencyHistogramSerializer.encode(LatencyHistogram.NONE));
        }
    }
}
