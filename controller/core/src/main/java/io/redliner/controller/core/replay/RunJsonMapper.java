// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.StepPlan;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.TrafficSample;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

/** Runs as JSON, written and read without loss: what the journal holds can be decided again. */
public final class RunJsonMapper {

    /** The types whose simple names are stored as the {@code kind} of a value. */
    static final List<Class<?>> KINDS = Stream
            .of(RunState.class, RunEvent.class, StepPlan.class, RunCommand.class)
            .flatMap(RunJsonMapper::kinds).toList();

    private static final TypeReference<List<RunCommand>> COMMANDS = new TypeReference<>() {};

    /** The text that an event has when it names its window and does not hold it; as PostgreSQL writes it. */
    public static final String NAMES_WINDOW = "\"window\": {\"sequence\"";

    private static final String DECIDED_AT = "\"$at\"";

    /**
     * The member of a decision that has the changes by reports of redirectors since the decision before. PostgreSQL puts
     * longer names behind shorter ones, and the first name of a decision has to tell its kind.
     */
    public static final String REPORTED = "redirectors";

    private final JsonMapper mapper;

    private final ObjectWriter commandsWriter;

    private final StatePatch statePatch;

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(RunJsonMapper::kinds)
                : Stream.of(type);
    }

    public RunJsonMapper() {
        JsonMapper.Builder builder = JsonMapper.builder()
                .addMixIn(RunState.class, Typed.class)
                .addMixIn(RunEvent.class, Typed.class)
                .addMixIn(RunCommand.class, Typed.class)
                .addMixIn(StepPlan.class, Typed.class)
                .addMixIn(Share.class, PartsPerMillion.class)
                .addMixIn(TrafficSample.class, Brief.class)
                .addMixIn(GaugeSample.class, InARow.class)
                .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        KINDS.forEach(kind -> builder.registerSubtypes(new NamedType(kind, kind.getSimpleName())));
        this.mapper = builder.build();
        this.commandsWriter = mapper.writerFor(COMMANDS);
        this.statePatch = new StatePatch(mapper);
    }

    /** Writes any part of a run. */
    public String write(Object part) {
        Class<?> root = Stream.of(RunState.class, RunEvent.class)
                .<Class<?>>map(type -> type)
                .filter(type -> type.isInstance(part))
                .findFirst()
                .orElse(part.getClass());
        return mapper.writerFor(root).writeValueAsString(part);
    }

    /** Returns the merge patch that turns one state into the other. */
    public JsonNode patch(RunState before, RunState after) {
        return statePatch.between(before, after);
    }

    /**
     * Returns a decision, whose state has been written already.
     *
     * @param reported the changes by reports of redirectors since the decision before; absent when there were none
     */
    public String decision(String writtenState, @Nullable JsonNode reported, List<RunCommand> commands) {
        return "{\"state\":" + writtenState + rest(reported, commands);
    }

    private String rest(@Nullable JsonNode reported, List<RunCommand> commands) {
        return ",\"commands\":" + commandsWriter.writeValueAsString(commands)
                + (reported == null ? "" : ",\"" + REPORTED + "\":" + reported) + "}";
    }

    /**
     * Returns a decision, with what it changes of the state in which it was made. The instant of the decision, which is all over
     * it, is written short; where some text has the short form already, the whole state is written.
     */
    public String change(RunState before, RunState after, @Nullable JsonNode reported, List<RunCommand> commands,
            Instant decidedAt) {
        String rest = patch(before, after) + rest(reported, commands);
        return rest.contains(DECIDED_AT)
                ? decision(write(after), reported, commands)
                : "{\"delta\":" + rest.replace("\"" + decidedAt + "\"", DECIDED_AT);
    }

    /** Returns a decision as it was before its instant was written short. */
    public static String whole(String decision, Instant decidedAt) {
        return decision.startsWith("{\"delta\"") ? decision.replace(DECIDED_AT, "\"" + decidedAt + "\"") : decision;
    }

    /** Returns a state that was written. */
    public RunState state(String json) {
        return mapper.readValue(json, RunState.class);
    }

    /**
     * Returns a state that was written.
     *
     * @param changes instant, nanoseconds and text of each decision since then; absent when it is the newest
     */
    public RunState state(String written, @Nullable String changes) {
        if (changes == null) {
            return state(written);
        }
        JsonNode state = tree(written);
        for (JsonNode change : tree(changes)) {
            Instant at = OffsetDateTime.parse(change.get(0).asString()).toInstant().plusNanos(change.get(1).asInt());
            state = stateAfter(state, tree(whole(change.get(2).toString(), at)));
        }
        return mapper.treeToValue(state, RunState.class);
    }

    /** Returns the state in which a decision was made: the one before, with what redirectors had reported since. */
    public static @Nullable JsonNode stateSeen(@Nullable JsonNode before, JsonNode decision) {
        return decision.has(REPORTED)
                ? MergePatch.apply(before, decision.path(REPORTED))
                : before;
    }

    /** Returns the state that a decision leads to. */
    public static JsonNode stateAfter(@Nullable JsonNode before, JsonNode decision) {
        return decided(stateSeen(before, decision), decision);
    }

    /** Returns the state that a decision leads to from the one in which it was made. */
    public static JsonNode decided(@Nullable JsonNode seen, JsonNode decision) {
        JsonNode whole = decision.path("state");
        return whole.isObject()
                ? whole
                : MergePatch.apply(seen, decision.path("delta"));
    }

    /** Reads an event. */
    public RunEvent event(String json) {
        return mapper.readValue(json, RunEvent.class);
    }

    /** One line of an exported journal, which begins with the run's first state. */
    public static String line(long sequence, Instant decidedAt, String event, @Nullable JsonNode seen, JsonNode state,
            JsonNode commands) {
        return "{\"sequence\":" + sequence + ",\"decidedAt\":\"" + decidedAt + "\",\"event\":" + event
                + (seen == null ? "" : ",\"seen\":" + seen) + ",\"decision\":{\"state\":" + state + ",\"commands\":"
                + commands + "}}";
    }

    /** Returns the event of a verdict that names its window, which is stored beside the journal. */
    public static String verdictArrived(long sequence, String startedAt) {
        return "{\"kind\":\"VerdictArrived\",\"window\":{\"sequence\":" + sequence + ",\"startedAt\":\"" + startedAt
                + "\"}}";
    }

    /** Returns the event of a verdict with its window in it. */
    public static String verdictArrived(String verdict) {
        return "{\"kind\":\"VerdictArrived\",\"verdict\":" + verdict + "}";
    }

    /** Parses any text that was written. */
    public JsonNode tree(String json) {
        return mapper.readTree(json);
    }

    /** Returns the commands of a decision that was written. */
    public List<RunCommand> commands(JsonNode decision) {
        return mapper.treeToValue(decision.path("commands"), COMMANDS);
    }

    /**
     * Reads a journal that was exported line by line.
     *
     * @throws IllegalArgumentException when a line cannot be read, which the message names, or lines are missing
     */
    public Journal journal(Iterator<String> lines) {
        if (!lines.hasNext()) {
            throw new IllegalArgumentException("the journal is empty");
        }
        RunState first = ofJournal(1, lines.next(), RunState.class);
        List<JournalEntry> entries = new ArrayList<>();
        while (lines.hasNext()) {
            entries.add(ofJournal(entries.size() + 2, lines.next(), JournalEntry.class));
        }
        return new Journal(first, entries);
    }

    private <T> T ofJournal(int line, String text, Class<T> type) {
        try {
            return mapper.readValue(text, type);
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("this is no journal of a run, or of another version: line " + line + ": "
                    + malformed.getOriginalMessage(), malformed);
        }
    }

    /** Reads any other part of a run, such as a decision, or a line of an exported journal after its first one. */
    public <T> T read(String json, Class<T> type) {
        return mapper.readValue(json, type);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    private interface Typed {}

    /** Leaves out empty gauges: every window has two samples. */
    private interface Brief {

        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @SuppressWarnings("unused")
        List<GaugeSample> gauges();
    }

    /** {@code ["cpu",0.5,"ratio"]}. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"name", "value", "unit"})
    private interface InARow {}

    private abstract static class PartsPerMillion {

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        @SuppressWarnings("unused")
        PartsPerMillion(int ppm) {}

        @JsonValue
        abstract int ppm();
    }
}
