// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.analyzer.codec.MalformedRecordException;
import io.redliner.analyzer.codec.ObservationDecoder;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.WindowProgress;
import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.contract.v1.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores the analysis of live runs, and restores it after a takeover. The table contains
 *
 * <pre>
 * run/SERVICE         the newest record of the service's run, as it was sent
 * state/SERVICE       an {@link AnalyzerSnapshot} of a {@link io.redliner.analyzer.run.ServiceAnalysisState}, one for each step
 * progress/SERVICE    the same of a {@link WindowProgress} since then, one for each window
 * seen/SLOT/SERVICE   observations of windows that were not judged at the snapshot, as they were sent
 * </pre>
 *
 * For one thread.
 */
public final class AnalyzerStateStore {

    private static final String RUN = "run/";

    private static final String STATE = "state/";

    private static final String PROGRESS = "progress/";

    private static final String OBSERVATION_PREFIX = "seen/";

    /**
     * The stored values of a service.
     *
     * @param run the newest record of the service's run
     * @param state the last snapshot of the live run
     * @param progress since a snapshot, the last one or one before
     * @param seen observations of windows that were not judged, by slot
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Stored(byte @Nullable [] run, byte @Nullable [] state, byte @Nullable [] progress,
            Map<Integer, byte[]> seen) {}

    private final KeyValueTable table;

    private final Function<String, List<Verdict>> unconfirmed;

    private final IntConsumer stored;

    private final Map<String, SlotAllocator> slots = new HashMap<>();

    /**
     * Creates a store on a table, which may contain the state of another store.
     *
     * @param unconfirmed returns the verdicts on a service that may not have been published yet
     * @param stored accepts the size of each snapshot and progress, in bytes
     */
    public AnalyzerStateStore(KeyValueTable table, Function<String, List<Verdict>> unconfirmed,
            IntConsumer stored) {
        this.table = table;
        this.unconfirmed = unconfirmed;
        this.stored = stored;
    }

    /** Returns the newest record of the service's run, as it was received. */
    public byte @Nullable [] run(String service) {
        return table.get(RUN + service);
    }

    /** Stores a record of a run, as it was received. */
    public void saveRun(String service, byte[] run) {
        table.put(RUN + service, run);
    }

    /** Deletes the service's run and its state. */
    public void forgetRun(String service) {
        forgetState(service);
        table.delete(RUN + service);
    }

    /** Deletes the state of a run that is over. */
    public void forgetState(String service) {
        for (String key : List.of(STATE + service, PROGRESS + service)) {
            if (table.get(key) != null) {
                table.delete(key);
            }
        }
        var used = slots.remove(service);
        for (int slot = 0; used != null && slot < used.everTaken(); slot++) {
            table.delete(observations(slot, service));
        }
    }

    /** Stores an observation of an open window. */
    public void appendObservation(String service, long windowStartMillis, byte[] observation) {
        table.put(observations(slots(service).take(windowStartMillis), service), observation);
    }

    /** Stores a snapshot of the live run, if there is one. */
    public void saveSnapshot(TrackedService service) {
        saveSnapshot(service, List.of());
    }

    /** Stores the progress of the live run since its last snapshot, if there is a run. */
    public void saveProgress(TrackedService service) {
        saveProgress(service, List.of());
    }

    /** Stores a snapshot when the judged windows ended a step, and the progress since the last snapshot otherwise. */
    public void saveJudged(TrackedService service, List<Verdict> verdicts) {
        if (service.analyzer().snapshotDue()) {
            saveSnapshot(service, verdicts);
        } else {
            saveProgress(service, verdicts);
        }
    }

    private void saveSnapshot(TrackedService service, List<Verdict> verdicts) {
        service.analyzer().state().ifPresent(state -> {
            keep(STATE, service, service.nextSnapshot(), verdicts, SnapshotCodec.write(state));
            slots(service.name()).freeBefore(service.analyzer().nextStart().orElse(Long.MIN_VALUE));
            service.analyzer().snapshotTaken();
        });
    }

    private void saveProgress(TrackedService service, List<Verdict> verdicts) {
        service.analyzer().progress().ifPresent(
                progress -> keep(PROGRESS, service, service.snapshot(), verdicts, SnapshotCodec.write(progress)));
    }

    private void keep(String kind, TrackedService service, long number, List<Verdict> verdicts, byte[] content) {
        byte[] bytes = new AnalyzerSnapshot(number,
                Stream.concat(unconfirmed.apply(service.name()).stream(), verdicts.stream()).toList(), content)
                .toBytes();
        table.put(kind + service.name(), bytes);
        stored.accept(bytes.length);
        service.unsaved(false);
    }

    /** Returns the stored values of all services. */
    public Map<String, Stored> stored() {
        var runs = new TreeMap<String, byte[]>();
        var states = new TreeMap<String, byte[]>();
        var progress = new TreeMap<String, byte[]>();
        var observations = new TreeMap<String, Map<Integer, byte[]>>();
        table.forEach((key, value) -> {
            if (key.startsWith(RUN)) {
                runs.put(key.substring(RUN.length()), value);
            } else if (key.startsWith(STATE)) {
                states.put(key.substring(STATE.length()), value);
            } else if (key.startsWith(PROGRESS)) {
                progress.put(key.substring(PROGRESS.length()), value);
            } else if (key.startsWith(OBSERVATION_PREFIX)) {
                int end = key.indexOf('/', OBSERVATION_PREFIX.length());
                observations.computeIfAbsent(key.substring(end + 1), unused -> new TreeMap<>())
                        .put(Integer.parseInt(key.substring(OBSERVATION_PREFIX.length(), end)), value);
            }
        });
        var all = new TreeMap<String, Stored>();
        Stream.of(runs, states, progress, observations).flatMap(kind -> kind.keySet().stream()).forEach(service -> {
            var used = observations.getOrDefault(service, Map.of());
            used.keySet().forEach(slot -> slots(service).known(slot));
            all.put(service, new Stored(runs.get(service), states.get(service), progress.get(service), used));
        });
        return all;
    }

    /**
     * Resumes the analysis of a service from its stored values.
     *
     * @return verdicts that were decided and may not have been published
     */
    public List<Verdict> resume(TrackedService service, RunContext run, Stored storedValues, Instant now)
            throws UnusableSnapshotException {
        if (storedValues.state() == null) {
            throw new UnusableSnapshotException("there is none");
        }
        var snapshot = AnalyzerSnapshot.of(storedValues.state());
        var state = SnapshotCodec.state(snapshot.content());
        var later = storedValues.progress() == null
                ? Optional.<AnalyzerSnapshot>empty()
                : Optional.of(AnalyzerSnapshot.of(storedValues.progress()))
                        .filter(progress -> progress.number() == snapshot.number());
        Optional<WindowProgress> progress = later.isEmpty()
                ? Optional.empty()
                : Optional.of(SnapshotCodec.progress(later.get().content()));
        var observations = observations(service.name(), storedValues,
                state.windows().nextStart().orElse(Long.MIN_VALUE));
        try {
            service.analyzer().resume(run, state, progress, observations, now);
        } catch (IllegalArgumentException e) {
            throw new UnusableSnapshotException("it is of another run", e);
        }
        service.resumed(snapshot.number());
        return later.orElse(snapshot).unconfirmed();
    }

    /** Decodes the observations of windows from this start on, in the order of their sequence numbers. */
    private List<InstanceObservation> observations(String service, Stored storedValues, long firstStartMillis) {
        var observations = new ArrayList<InstanceObservation>();
        storedValues.seen().forEach((slot, bytes) -> {
            var observation = decoded(service, bytes);
            if (observation != null && observation.windowStartMillis() >= firstStartMillis) {
                slots(service).take(slot, observation.windowStartMillis());
                observations.add(observation);
            }
        });
        observations.sort(Comparator.comparingLong(InstanceObservation::sequence));
        return observations;
    }

    private static @Nullable InstanceObservation decoded(String service, byte[] observation) {
        try {
            return ObservationDecoder.read(service, observation, true);
        } catch (MalformedRecordException e) {
            // It was valid when it was stored. Without it the window is found to be incomplete.
            return null;
        }
    }

    private SlotAllocator slots(String service) {
        return slots.computeIfAbsent(service, unused -> new SlotAllocator());
    }

    private static String observations(int slot, String service) {
        return OBSERVATION_PREFIX + slot + '/' + service;
    }

    /**
     * Allocates slots for the observations of a service's open windows. Slots are reused, so that nothing has to be deleted while a run
     * is live: each stored observation contains its window. For one thread.
     */
    private static final class SlotAllocator {

        private final BitSet taken = new BitSet();

        private final TreeMap<Long, BitSet> byWindow = new TreeMap<>();

        private int everTaken;

        /** Allocates a free slot for an observation of a window. */
        int take(long windowStartMillis) {
            int slot = taken.nextClearBit(0);
            take(slot, windowStartMillis);
            return slot;
        }

        /** Marks a slot as taken by a stored observation of a window. */
        void take(int slot, long windowStartMillis) {
            taken.set(slot);
            byWindow.computeIfAbsent(windowStartMillis, unused -> new BitSet()).set(slot);
            known(slot);
        }

        /** Marks a slot as used before; its observation may be overwritten. */
        void known(int slot) {
            everTaken = Math.max(everTaken, slot + 1);
        }

        /** Frees the slots of windows before this one. */
        void freeBefore(long windowStartMillis) {
            var judged = byWindow.headMap(windowStartMillis);
            judged.values().forEach(taken::andNot);
            judged.clear();
        }

        /** Returns the number of slots that may contain an observation. */
        int everTaken() {
            return everTaken;
        }
    }
}
