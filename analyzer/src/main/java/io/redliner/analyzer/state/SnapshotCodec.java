// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import io.redliner.analyzer.run.ServiceAnalysisState;
import io.redliner.analyzer.run.WindowProgress;
import io.redliner.analyzer.search.SearchState;
import io.redliner.sla.Latencies;
import io.redliner.sla.Rule;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * States as JSON: any search whose state is made of records, sealed interfaces, collections, optionals, enums and
 * numbers. Histograms are in their own compressed encoding, rules as they were written. What has another shape than the
 * classes of today is refused, not guessed.
 */
public final class SnapshotCodec {

    private record Formats(ObjectWriter writer, ObjectReader states, ObjectReader progress) {}

    /** One for all: what a class looks like takes long to find out, and does not change. */
    private static final Map<Class<?>, Formats> BY_SEARCH = new ConcurrentHashMap<>();

    /** Writes a state. */
    public byte[] write(ServiceAnalysisState state) {
        return formats(SealedTypes.kindOf(state.run().search())).writer().writeValueAsBytes(state);
    }

    /** Writes what has happened since a state. */
    public byte[] write(WindowProgress progress) {
        return formats(SearchState.class).writer().writeValueAsBytes(progress);
    }

    /**
     * Reads a state.
     *
     * @param kind any state of the search that the stored one is of
     */
    public ServiceAnalysisState state(byte[] bytes, SearchState kind) throws UnusableSnapshotException {
        try {
            return formats(SealedTypes.kindOf(kind)).states().readValue(bytes);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new UnusableSnapshotException("it is not the state of a " + kind.getClass().getName(), e);
        }
    }

    /** Reads what has happened since a state. */
    public WindowProgress progress(byte[] bytes) throws UnusableSnapshotException {
        try {
            return formats(SearchState.class).progress().readValue(bytes);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new UnusableSnapshotException("what is stored beside it is not its progress", e);
        }
    }

    private static Formats formats(Class<?> kind) {
        return BY_SEARCH.computeIfAbsent(kind, SnapshotCodec::newFormats);
    }

    private static Formats newFormats(Class<?> kind) {
        var module = new SimpleModule("redliner")
                .addSerializer(Latencies.class, new LatencyHistogramSerializer.Writer())
                .addDeserializer(Latencies.class, new LatencyHistogramSerializer.Reader())
                .addSerializer(Rule.class, new RuleSerializer.Writer())
                .addDeserializer(Rule.class, new RuleSerializer.Reader());
        var mapper = JsonMapper.builder().annotationIntrospector(new SealedTypes(kind)).addModule(module)
                .changeDefaultVisibility(seen -> seen.withVisibility(PropertyAccessor.ALL,
                        JsonAutoDetect.Visibility.NONE).withVisibility(PropertyAccessor.FIELD,
                                JsonAutoDetect.Visibility.ANY)
                        .withVisibility(PropertyAccessor.CREATOR, JsonAutoDetect.Visibility.ANY))
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        return new Formats(mapper.writer(), mapper.readerFor(ServiceAnalysisState.class),
                mapper.readerFor(WindowProgress.class));
    }

    /** The name of the record's class in a property of its own: nothing but the permitted ones can be named. */
    static final JsonTypeInfo.Value BY_NAME = JsonTypeInfo.Value.construct(JsonTypeInfo.Id.NAME,
            JsonTypeInfo.As.PROPERTY, "is", null, false, true);
}
