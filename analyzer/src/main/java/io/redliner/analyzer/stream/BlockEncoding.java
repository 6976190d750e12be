// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.evidence.Block;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Blocks of evidence, which are most of a state, and of which all but the last stay as they are. */
final class BlockEncoding extends ValueSerializer<Block> {

    private final ObjectWriter writer;

    /** @param writer of anything, as JSON */
    BlockEncoding(ObjectWriter writer) {
        this.writer = writer;
    }

    @Override
    public void serialize(Block block, JsonGenerator out, SerializationContext context) {
        out.writeRawValue(Encoded.of(context).get(block, writer::writeValueAsString));
    }
}
