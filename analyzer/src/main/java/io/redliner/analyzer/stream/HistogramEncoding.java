// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.sla.Latencies;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;

/**
 * Histograms as bytes. The same histogram is in the state window after window, so the bytes of the last time are kept.
 * For one thread and the states of one service.
 */
final class HistogramEncoding {

    private IdentityHashMap<Latencies, byte[]> known = new IdentityHashMap<>();

    private IdentityHashMap<Latencies, byte[]> used = new IdentityHashMap<>();

    /** A new state is written: what is not in it need not be known any more. */
    void begin() {
        known = used;
        used = new IdentityHashMap<>();
    }

    private byte[] encoded(Latencies histogram) {
        byte[] earlier = known.get(histogram);
        byte[] bytes = earlier == null ? encode(histogram) : earlier;
        used.put(histogram, bytes);
        return bytes;
    }

    private static byte[] encode(Latencies latencies) {
        var histogram = latencies.toHistogram();
        var buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }

    /** Into a stored state. */
    static final class Writer extends ValueSerializer<Latencies> {

        @Override
        public void serialize(Latencies histogram, JsonGenerator out, SerializationContext context) {
            var encoding = (HistogramEncoding) Objects.requireNonNull(context.getAttribute(HistogramEncoding.class));
            out.writeBinary(encoding.encoded(histogram));
        }
    }

    /** Out of a stored state. */
    static final class Reader extends ValueDeserializer<Latencies> {

        @Override
        public Latencies deserialize(JsonParser in, DeserializationContext context) {
            try {
                return Latencies.of(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(in.getBinaryValue()), 0));
            } catch (DataFormatException | RuntimeException e) {
                return context.reportInputMismatch(Histogram.class, "not a histogram: %s", e.getMessage());
            }
        }
    }
}
