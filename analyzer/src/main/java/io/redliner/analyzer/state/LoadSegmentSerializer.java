// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.analyzer.runstats.LoadSegment;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Blocks of evidence, which are most of a state, and of which all but the last stay as they are. */
final class LoadSegmentSerializer extends ValueSerializer<LoadSegment> {

    private final ObjectWriter writer;

    /** @param writer of anything, as JSON */
    LoadSegmentSerializer(ObjectWriter writer) {
        this.writer = writer;
    }

    @Override
    public void serialize(LoadSegment block, JsonGenerator out, SerializationContext context) {
        out.writeRawValue(SerializationCache.of(context).get(block, writer::writeValueAsString));
    }
}
