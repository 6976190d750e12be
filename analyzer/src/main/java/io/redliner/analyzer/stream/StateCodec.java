// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import io.redliner.analyzer.evidence.Block;
import io.redliner.analyzer.run.ServiceState;
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
final class StateCodec {

    private record Formats(ObjectWriter writer, ObjectReader reader) {}

    /** One for all: what a class looks like takes long to find out, and does not change. */
    private static final Map<Class<?>, Formats> BY_SEARCH = new ConcurrentHashMap<>();

    /** @param encoded of the service's last state */
    byte[] write(ServiceState state, Encoded encoded) {
        encoded.begin();
        return formats(state.run().search()).writer().withAttribute(Encoded.class, encoded).writeValueAsBytes(state);
    }

    /** @param kind any state of the search that the stored one is of */
    ServiceState read(byte[] bytes, SearchState kind) throws UnreadableStateException {
        try {
            return formats(kind).reader().readValue(bytes);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new UnreadableStateException("it is not the state of a " + kind.getClass().getName(), e);
        }
    }

    private static Formats formats(SearchState kind) {
        return BY_SEARCH.computeIfAbsent(SealedTypes.kindOf(kind), StateCodec::formats);
    }

    private static Formats formats(Class<?> kind) {
        var module = new SimpleModule("redliner").addSerializer(Latencies.class, new HistogramEncoding.Writer())
                .addDeserializer(Latencies.class, new HistogramEncoding.Reader())
                .addSerializer(Rule.class, new RuleEncoding.Writer())
                .addDeserializer(Rule.class, new RuleEncoding.Reader());
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
        var keeping = mapper.rebuild()
                .addModule(new SimpleModule("keeping").addSerializer(Block.class, new BlockEncoding(mapper.writer())))
                .build();
        return new Formats(keeping.writerFor(ServiceState.class), keeping.readerFor(ServiceState.class));
    }

    /** The name of the record's class in a property of its own: nothing but the permitted ones can be named. */
    static final JsonTypeInfo.Value BY_NAME = JsonTypeInfo.Value.construct(JsonTypeInfo.Id.NAME,
            JsonTypeInfo.As.PROPERTY, "is", null, false, true);
}
