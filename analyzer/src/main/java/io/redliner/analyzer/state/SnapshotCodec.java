// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import io.redliner.analyzer.run.ServiceAnalysisState;
import io.redliner.analyzer.run.WindowProgress;
import io.redliner.analyzer.search.CapacityPosterior;
import io.redliner.analyzer.search.GatedState;
import io.redliner.analyzer.search.LoadTotals;
import io.redliner.analyzer.search.SearchContext;
import io.redliner.analyzer.search.SearchHistory;
import io.redliner.analyzer.search.SearchPhaseState;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.windowing.WindowingState;
import io.redliner.sla.LatencyHistogram;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategy;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;

/**
 * Writes and reads states as JSON. Histograms have their own compressed encoding. JSON of another shape than the classes of
 * today is rejected.
 */
public final class SnapshotCodec {

    /** The record's class has its name in a property; only registered names are accepted. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Named {}

    /** A record whose class is known has no such property. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
    private interface Known {}

    /** Stored JSON keeps the names that the types had in the first build that stored them. */
    private static final Map<Class<?>, String> STORED_NAMES = Map.ofEntries(
            Map.entry(SearchPhaseState.Baselining.class, "RideState$Baselining"),
            Map.entry(SearchPhaseState.Ramping.class, "RideState$Ramping"),
            Map.entry(SearchPhaseState.Confirming.class, "RideState$Riding"),
            Map.entry(SearchPhaseState.Draining.class, "RideState$Draining"),
            Map.entry(SearchPhaseState.Ended.class, "RideState$Ended"),
            Map.entry(SearchPhaseState.Then.RampEnds.class, "RideState$Then$RampEnds"),
            Map.entry(SearchPhaseState.Then.StepEnds.class, "RideState$Then$DwellEnds"),
            Map.entry(GatedState.class, "GatedState"),
            Map.entry(GatedState.Mode.Watching.class, "GatedState$Watching"),
            Map.entry(GatedState.Mode.Open.class, "GatedState$Open"),
            Map.entry(GatedState.Mode.Shut.class, "GatedState$Shut"),
            Map.entry(GatedState.Mode.Opening.class, "GatedState$Opening"));

    /** The same of components: by record, the stored name of each component that has another name today. */
    private static final Map<Class<?>, Map<String, String>> STORED_COMPONENTS = Map.of(
            WindowingState.class, Map.of("firstReceived", "firstHeard"),
            SearchPhaseState.Ramping.class, Map.of("searchHistory", "ride"),
            SearchPhaseState.Confirming.class, Map.of("history", "ride"),
            SearchPhaseState.Then.RampEnds.class, Map.of("history", "ride"),
            SearchPhaseState.Then.StepEnds.class, Map.of("step", "dwell"),
            SearchHistory.class, Map.of("posterior", "belief", "stepsBelowKnee", "calm", "kneeReached", "felt"),
            SearchContext.class, Map.of("signals", "senses"),
            CapacityPosterior.class, Map.of("tracked", "ridden"), LoadTotals.class, Map.of("exceedances", "tallies"),
            GatedState.Mode.Shut.class, Map.of("clearSeconds", "calmSeconds"));

    private static final JsonMapper JSON = mapper();

    private SnapshotCodec() {}

    /** Names components as they are stored. */
    private static final class StoredComponentNames extends PropertyNamingStrategy {

        private static final long serialVersionUID = 1;

        @Override
        public String nameForField(MapperConfig<?> config, AnnotatedField field, String name) {
            return stored(field.getDeclaringClass(), name);
        }

        @Override
        public String nameForConstructorParameter(MapperConfig<?> config, AnnotatedParameter parameter, String name) {
            return stored(parameter.getDeclaringClass(), name);
        }

        private static String stored(Class<?> type, String name) {
            return STORED_COMPONENTS.getOrDefault(type, Map.of()).getOrDefault(name, name);
        }
    }

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
        var builder = JsonMapper.builder().propertyNamingStrategy(new StoredComponentNames())
                .addModule(new SimpleModule("redliner")
                        .addSerializer(LatencyHistogram.class, new LatencyHistogramSerializer.Writer())
                        .addDeserializer(LatencyHistogram.class, new LatencyHistogramSerializer.Reader()))
                .addMixIn(SearchState.class, Named.class).addMixIn(SearchPhaseState.Then.class, Named.class)
                .addMixIn(GatedState.Mode.class, Named.class)
                .addMixIn(SearchPhaseState.Confirming.class, Known.class)
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
