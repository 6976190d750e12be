// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import io.redliner.analyzer.run.ServiceAnalysisState;
import io.redliner.analyzer.run.WindowProgress;
import io.redliner.analyzer.search.GatedState;
import io.redliner.analyzer.search.SearchPhaseState;
import io.redliner.analyzer.search.SearchState;
import io.redliner.sla.LatencyHistogram;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;

/**
 * States as JSON. Histograms are in their own compressed encoding. What has another shape than
 * the classes of today is refused, not guessed.
 */
public final class SnapshotCodec {

    /** The name of the record's class in a property of its own: nothing but the registered ones can be named. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Named {}

    /** Where the class is known it is not named. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
    private interface Known {}

    /** What is stored keeps the names that its types had when it was stored first. */
    private static final Map<Class<?>, String> STORED_NAMES = Map.ofEntries(
            Map.entry(SearchPhaseState.Baselining.class, "RideState$Baselining"),
            Map.entry(SearchPhaseState.Ramping.class, "RideState$Ramping"),
            Map.entry(SearchPhaseState.Riding.class, "RideState$Riding"),
            Map.entry(SearchPhaseState.Draining.class, "RideState$Draining"),
            Map.entry(SearchPhaseState.Ended.class, "RideState$Ended"),
            Map.entry(SearchPhaseState.Then.RampEnds.class, "RideState$Then$RampEnds"),
            Map.entry(SearchPhaseState.Then.DwellEnds.class, "RideState$Then$DwellEnds"),
            Map.entry(GatedState.class, "GatedState"),
            Map.entry(GatedState.Mode.Watching.class, "GatedState$Watching"),
            Map.entry(GatedState.Mode.Open.class, "GatedState$Open"),
            Map.entry(GatedState.Mode.Shut.class, "GatedState$Shut"),
            Map.entry(GatedState.Mode.Opening.class, "GatedState$Opening"));

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

    /** Reads what has happened since a state. */
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
        var builder = JsonMapper.builder().addModule(new SimpleModule("redliner")
                .addSerializer(LatencyHistogram.class, new LatencyHistogramSerializer.Writer())
                .addDeserializer(LatencyHistogram.class, new LatencyHistogramSerializer.Reader()))
                .addMixIn(SearchState.class, Named.class).addMixIn(SearchPhaseState.Then.class, Named.class)
                .addMixIn(GatedState.Mode.class, Named.class)
                .addMixIn(SearchPhaseState.Riding.class, Known.class)
                .changeDefaultVisibility(seen -> seen.withVisibility(PropertyAccessor.ALL,
                        JsonAutoDetect.Visibility.NONE).withVisibility(PropertyAccessor.FIELD,
                                JsonAutoDetect.Visibility.ANY)
                        .withVisibility(PropertyAccessor.CREATOR, JsonAutoDetect.Visibility.ANY))
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        STORED_NAMES.forEach((type, name) -> builder.registerSubtypes(new NamedType(type, name)));
        return builder.build();
    }
}
