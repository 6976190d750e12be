// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import io.redliner.controller.plan.Ppm;
import io.redliner.controller.profile.StepPlan;
import io.redliner.controller.run.Command;
import io.redliner.controller.run.Decision;
import io.redliner.controller.run.GaugeSeen;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunState;
import io.redliner.controller.run.TrafficSeen;
import io.redliner.controller.replay.Journal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

/** Runs as JSON, written and read without loss: what the journal holds can be decided again. */
public final class RunJson {

    private static final List<Class<?>> KINDS = List.of(RunState.Pending.class, RunState.Preparing.class,
            RunState.Baseline.class, RunState.Ramping.class, RunState.Confirming.class, RunState.Paused.class,
            RunState.Restoring.class,
            RunState.Finished.class, RunEvent.Submitted.class, RunEvent.VerdictArrived.class,
            RunEvent.LeaseStatusArrived.class, RunEvent.Tick.class, RunEvent.AbortRequested.class,
            RunEvent.NotDelivered.class, RunEvent.ControllerStopping.class, RunEvent.TakenOver.class,
            RunEvent.PauseRequested.class, RunEvent.ResumeRequested.class, RunEvent.Approved.class,
            RunEvent.Halted.class, RunEvent.ClockJumped.class, StepPlan.Hold.class, StepPlan.Surge.class,
            StepPlan.Climb.class, StepPlan.Attribution.class,
            Command.PublishRun.class, Command.SendLease.class, Command.RecordStep.class, Command.RecordCapacity.class);

    private final JsonMapper mapper;

    private final ObjectWriter commandsWriter;

    public RunJson() {
        JsonMapper.Builder builder = JsonMapper.builder()
                .addMixIn(RunState.class, Typed.class)
                .addMixIn(RunEvent.class, Typed.class)
                .addMixIn(Command.class, Typed.class)
                .addMixIn(StepPlan.class, Typed.class)
                .addMixIn(Ppm.class, PartsPerMillion.class)
                .addMixIn(TrafficSeen.class, Brief.class)
                .addMixIn(GaugeSeen.class, InARow.class)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        for (Class<?> kind : KINDS) {
            builder.registerSubtypes(new NamedType(kind, kind.getSimpleName()));
        }
        this.mapper = builder.build();
        this.commandsWriter = mapper.writerFor(new TypeReference<List<Command>>() {});
    }

    /** Any part of a run. */
    public String write(Object part) {
        Class<?> root = Stream.of(RunState.class, RunEvent.class)
                .<Class<?>>map(type -> type)
                .filter(type -> type.isInstance(part))
                .findFirst()
                .orElse(part.getClass());
        return mapper.writerFor(root).writeValueAsString(part);
    }

    /** A decision, whose state has been written already: most of it is. */
    String decision(String writtenState, List<Command> commands) {
        return "{\"state\":" + writtenState + ",\"commands\":" + commandsWriter.writeValueAsString(commands) + "}";
    }

    /** A state that was written. */
    public RunState state(String json) {
        return mapper.readValue(json, RunState.class);
    }

    /** An event that was written. */
    public RunEvent event(String json) {
        return mapper.readValue(json, RunEvent.class);
    }

    /** A decision that was written. */
    public Decision decision(String json) {
        return mapper.readValue(json, Decision.class);
    }

    /** One line of an exported journal, which begins with the run's first state. */
    public String line(JournalEntry entry) {
        return mapper.writerFor(JournalEntry.class).writeValueAsString(entry);
    }

    /**
     * A journal that was exported line by line.
     *
     * @throws IllegalArgumentException when it is none, or not whole
     */
    public Journal journal(Iterator<String> lines) {
        try {
            if (!lines.hasNext()) {
                throw new IllegalArgumentException("the journal is empty");
            }
            RunState first = state(lines.next());
            List<Journal.Entry> entries = new ArrayList<>();
            while (lines.hasNext()) {
                JournalEntry entry = mapper.readValue(lines.next(), JournalEntry.class);
                entries.add(new Journal.Entry(entry.sequence(), entry.decidedAt(), entry.event(), entry.decision()));
            }
            return new Journal(first, entries);
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("this is no journal of a run: " + malformed.getOriginalMessage(),
                    malformed);
        }
    }

    /** Any part that is no state, event or decision. */
    public <T> T read(String json, Class<T> type) {
        return mapper.readValue(json, type);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    private interface Typed {}

    /** Every window has two, and is kept twice. */
    private interface Brief {

        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @SuppressWarnings("unused")
        List<GaugeSeen> gauges();
    }

    /** {@code ["cpu",0.5,"ratio"]}. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"name", "value", "unit"})
    private interface InARow {}

    private abstract static class PartsPerMillion {

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        @SuppressWarnings("unused")
        PartsPerMillion(int value) {}

        @JsonValue
        abstract int value();
    }
}
