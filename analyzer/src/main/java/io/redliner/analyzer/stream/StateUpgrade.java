// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.sla.Latencies;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings states that earlier builds stored into the form of today, so that live runs survive an upgrade. What an earlier build
 * did not store is what it would have forgotten itself.
 */
final class StateUpgrade {

    /** The first version that can be read. */
    static final int OLDEST_VERSION = 2;

    private static final JsonMapper JSON = JsonMapper.shared();

    private StateUpgrade() {}

    /**
     * One that {@link StateCodec} reads.
     *
     * @param version of the state, from {@link #OLDEST_VERSION} to {@link StoredState#VERSION}
     */
    static byte[] upgraded(int version, byte[] state) throws UnreadableStateException {
        if (version == StoredState.VERSION) {
            return state;
        }
        try {
            JsonNode root = JSON.readTree(state);
            if (!(root.get("windows") instanceof ObjectNode windows)) {
                throw new UnreadableStateException("it has no windows");
            }
            windows.path("sources").forEach(source -> ((ObjectNode) source).putNull("watchedStartMillis"));
            windows.putObject("streams").put("whole", 0).putObject("before");
            windows.putArray("misplaced");
            if (root.path("run").get("baseline") instanceof ObjectNode baseline) {
                baseline.put("firstByte", HistogramEncoding.encode(Latencies.NONE));
            }
            return JSON.writeValueAsBytes(root);
        } catch (JacksonException | ClassCastException e) {
            throw new UnreadableStateException("it is not of version " + version, e);
        }
    }
}
