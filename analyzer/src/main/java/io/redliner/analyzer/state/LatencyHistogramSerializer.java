// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.sla.LatencyHistogram;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;

/** Writes and reads histograms in HdrHistogram's compressed encoding. */
final class LatencyHistogramSerializer {

    private LatencyHistogramSerializer() {}

    static byte[] encode(LatencyHistogram latencies) {
        var histogram = latencies.toHistogram();
        var buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }

    /** Writes a histogram into a stored state. */
    static final class Writer extends ValueSerializer<LatencyHistogram> {

        @Override
        public void serialize(LatencyHistogram histogram, JsonGenerator out, SerializationContext context) {
            out.writeBinary(encode(histogram));
        }
    }

    /** Reads a histogram from a stored state. */
    static final class Reader extends ValueDeserializer<LatencyHistogram> {

        @Override
        public LatencyHistogram deserialize(JsonParser in, DeserializationContext context) {
            try {
                return LatencyHistogram
                        .of(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(in.getBinaryValue()), 0));
            } catch (DataFormatException | RuntimeException e) {
                return context.reportInputMismatch(Histogram.class, "not a histogram: %s", e.getMessage());
            }
        }
    }
}
