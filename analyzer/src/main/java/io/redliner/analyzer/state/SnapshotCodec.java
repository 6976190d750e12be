// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import io.redliner.analyzer.run.ServiceAnalysisState;
import io.redliner.analyzer.run.WindowProgress;
import io.redliner.analyzer.runstats.GaugeStats;
import io.redliner.analyzer.search.GatedState;
import io.redliner.analyzer.search.SearchPhaseState;
import io.redliner.analyzer.search.SearchState;
import io.redliner.sla.LatencyHistogram;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;

/**
 * Writes and reads states as JSON. Histograms have their own compressed encoding. JSON of another shape than the classes of
 * today is rejected.
 */
public final class SnapshotCodec {

    /** Stores the name of the record's class in a property. Only registered names are accepted. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Named {}

    /** Leaves out that property for a record whose class is known. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
    private interface Known {}

    /** Stores the values of a record that there are many of, without their names. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"windows", "mean", "most"})
    private interface Flat {}

    /** Classes whose simple names are in stored JSON. A renamed class needs another {@link AnalyzerSnapshot#VERSION}. */
    private static final List<Class<?>> NAMED = List.of(SearchPhaseState.Baselining.class,
            SearchPhaseState.Ramping.class,
            SearchPhaseState.Confirming.class, SearchPhaseState.Draining.class, SearchPhaseState.Ended.class,
            SearchPhaseState.Then.RampEnds.class, SearchPhaseState.Then.StepEnds.class, GatedState.class,
            GatedState.Mode.Watching.class, GatedState.Mode.Open.class, GatedState.Mode.Shut.class,
            GatedState.Mode.Opening.class, GatedState.Mode.Beside.class);

    private static final JsonMapper JSON = mapper();

    private SnapshotCodec() {}

    /** Writes a {@link ServiceAnalysisState} or a {@link WindowProgress}. */
    public static byte[] write(Record state) {
        return JSON.writeValueAsBytes(state);
    }

    /** Reads a state. */
    public static ServiceAnalysisState state(byte[] bytes) throws UnusableSnapshotException {
        return read(ServiceAnalysisState.class, bytes);
    }

    /** Reads the progress since a state. */
    public static WindowProgress progress(byte[] bytes) throws UnusableSnapshotException {
        return read(WindowProgress.class, bytes);
    }

    private static <T> T read(Class<T> type, byte[] bytes) throws UnusableSnapshotException {
        try {
            return JSON.readValue(bytes, type);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new UnusableSnapshotException("it is not the state of this search", e);
        }
    }

    private static JsonMapper mapper() {
        var builder = JsonMapper.builder()
                .addModule(new SimpleModule("redliner")
                        .addSerializer(LatencyHistogram.class, new LatencyHistogramSerializer.Writer())
                        .addDeserializer(LatencyHistogram.class, new LatencyHistogramSerializer.Reader()))
                .addMixIn(SearchState.class, Named.class).addMixIn(SearchPhaseState.Then.class, Named.class)
                .addMixIn(GatedState.Mode.class, Named.class)
                .addMixIn(SearchPhaseState.Confirming.class, Known.class).addMixIn(GaugeStats.class, Flat.class)
                .changeDefaultVisibility(visibility -> visibility.withVisibility(PropertyAccessor.ALL,
                        JsonAutoDetect.Visibility.NONE).withVisibility(PropertyAccessor.FIELD,
                                JsonAutoDetect.Visibility.ANY)
                        .withVisibility(PropertyAccessor.CREATOR, JsonAutoDetect.Visibility.ANY))
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        NAMED.forEach(type -> builder.registerSubtypes(new NamedType(type, type.getSimpleName())));
        return builder.build();
    }

    /** Writes and reads histograms in HdrHistogram's compressed encoding. */
    private static final class LatencyHistogramSerializer {

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
}
