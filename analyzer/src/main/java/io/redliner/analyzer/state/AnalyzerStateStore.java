// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.analyzer.codec.MalformedRecordException;
import io.redliner.analyzer.codec.ObservationDecoder;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.WindowProgress;
import io.redliner.analyzer.windowing.InstanceObservation;
import java.time.Instant;
import java.util.ArrayList;
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
 * Keeps where the analysis of live runs is, and finds it again. In the table are
 *
 * <pre>
 * run/SERVICE         the controllers' newest word, as it was sent
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

    private static final String SEEN = "seen/";

    /**
     * What is stored of a service.
     *
     * @param run the controllers' newest word
     * @param state the last snapshot of its live run
     * @param progress since a snapshot, the last one or one before
     * @param seen observations of windows that were not judged, by the place they are in
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Stored(byte @Nullable [] run, byte @Nullable [] state, byte @Nullable [] progress,
            Map<Integer, byte[]> seen) {}

    private final KeyValueTable table;

    private final Function<String, List<EncodedVerdict>> unconfirmed;

    private final IntConsumer stored;

    private final Map<String, SlotAllocator> slots = new HashMap<>();

    /**
     * Over a table, which may hold what another one kept.
     *
     * @param unconfirmed the verdicts on a service that may not have been published yet
     * @param stored accepts the size of each snapshot and progress, in bytes
     */
    public AnalyzerStateStore(KeyValueTable table, Function<String, List<EncodedVerdict>> unconfirmed,
            IntConsumer stored) {
        this.table = table;
        this.unconfirmed = unconfirmed;
        this.stored = stored;
    }

    /** The last run on a service, as it came. */
    public byte @Nullable [] run(String service) {
        return table.get(RUN + service);
    }

    /** Keeps a run, as it came. */
    public void saveRun(String service, byte[] run) {
        table.put(RUN + service, run);
    }

    /** There is no run on the service any more. */
    public void forgetRun(String service) {
        forgetState(service);
        table.delete(RUN + service);
    }

    /** The run on the service is over. */
    public void forgetState(String service) {
        for (String key : List.of(STATE + service, PROGRESS + service)) {
            if (table.get(key) != null) {
                table.delete(key);
            }
        }
        var used = slots.remove(service);
        for (int slot = 0; used != null && slot < used.everTaken(); slot++) {
            table.delete(seen(slot, service));
        }
    }

    /** Keeps an observation of a window that is open. */
    public void appendObservation(String service, long windowStartMillis, byte[] observation) {
        table.put(seen(slots(service).take(windowStartMillis), service), observation);
    }

    /** Keeps a snapshot of the live run, if there is one. */
    public void saveSnapshot(TrackedService service) {
        saveSnapshot(service, List.of());
    }

    /** Keeps what is new since the last snapshot, of the live run, if there is one. */
    public void saveProgress(TrackedService service) {
        saveProgress(service, List.of());
    }

    /** Windows were judged: keeps a snapshot when that ended a step, else what is new since the last one. */
    public void saveJudged(TrackedService service, List<EncodedVerdict> said) {
        if (service.analysis().stepIsOver()) {
            saveSnapshot(service, said);
        } else {
            saveProgress(service, said);
        }
    }

    private void saveSnapshot(TrackedService service, List<EncodedVerdict> said) {
        service.analysis().state().ifPresent(state -> {
            keep(STATE, service, service.nextSnapshot(), said, SnapshotCodec.write(state));
            slots(service.name()).freeBefore(service.analysis().nextStart().orElse(Long.MIN_VALUE));
            service.analysis().snapshotTaken();
        });
    }

    private void saveProgress(TrackedService service, List<EncodedVerdict> said) {
        service.analysis().progress().ifPresent(
                progress -> keep(PROGRESS, service, service.snapshot(), said, SnapshotCodec.write(progress)));
    }

    private void keep(String kind, TrackedService service, long number, List<EncodedVerdict> said, byte[] content) {
        byte[] bytes = new AnalyzerSnapshot(number,
                Stream.concat(unconfirmed.apply(service.name()).stream(), said.stream()).toList(), content).toBytes();
        table.put(kind + service.name(), bytes);
        stored.accept(bytes.length);
        service.unsaved(false);
    }

    /** All that is stored, by service. */
    public Map<String, Stored> stored() {
        var runs = new TreeMap<String, byte[]>();
        var states = new TreeMap<String, byte[]>();
        var progress = new TreeMap<String, byte[]>();
        var seen = new TreeMap<String, Map<Integer, byte[]>>();
        table.forEach((key, value) -> {
            if (key.startsWith(RUN)) {
                runs.put(key.substring(RUN.length()), value);
            } else if (key.startsWith(STATE)) {
                states.put(key.substring(STATE.length()), value);
            } else if (key.startsWith(PROGRESS)) {
                progress.put(key.substring(PROGRESS.length()), value);
            } else if (key.startsWith(SEEN)) {
                int end = key.indexOf('/', SEEN.length());
                seen.computeIfAbsent(key.substring(end + 1), unused -> new TreeMap<>())
                        .put(Integer.parseInt(key.substring(SEEN.length(), end)), value);
            }
        });
        var all = new TreeMap<String, Stored>();
        Stream.of(runs, states, progress, seen).flatMap(kind -> kind.keySet().stream()).forEach(service -> {
            var used = seen.getOrDefault(service, Map.of());
            used.keySet().forEach(slot -> slots(service).known(slot));
            all.put(service, new Stored(runs.get(service), states.get(service), progress.get(service), used));
        });
        return all;
    }

    /**
     * Lets a service go on where it was.
     *
     * @return verdicts that were decided, and may not have been published
     */
    public List<EncodedVerdict> resume(TrackedService service, RunContext run, Stored known, Instant now)
            throws UnusableSnapshotException {
        if (known.state() == null) {
            throw new UnusableSnapshotException("there is none");
        }
        var snapshot = AnalyzerSnapshot.of(known.state());
        var state = SnapshotCodec.state(snapshot.content());
        var later = known.progress() == null
                ? Optional.<AnalyzerSnapshot>empty()
                : Optional.of(AnalyzerSnapshot.of(known.progress()))
                        .filter(progress -> progress.number() == snapshot.number());
        Optional<WindowProgress> progress = later.isEmpty()
                ? Optional.empty()
                : Optional.of(SnapshotCodec.progress(later.get().content()));
        var seen = seen(service.name(), known, state.windows().nextStart().orElse(Long.MIN_VALUE));
        try {
            service.analysis().resume(run, state, progress, seen, now);
        } catch (IllegalArgumentException e) {
            throw new UnusableSnapshotException("it is of another run", e);
        }
        service.resumed(snapshot.number());
        return later.orElse(snapshot).unconfirmed();
    }

    /** Observations of windows from one on, in their order. */
    private List<InstanceObservation> seen(String service, Stored known, long firstStartMillis) {
        var seen = new ArrayList<InstanceObservation>();
        known.seen().forEach((slot, bytes) -> {
            var observation = decoded(service, bytes);
            if (observation != null && observation.windowStartMillis() >= firstStartMillis) {
                slots(service).take(slot, observation.windowStartMillis());
                seen.add(observation);
            }
        });
        seen.sort(Comparator.comparingLong(InstanceObservation::sequence));
        return seen;
    }

    private static @Nullable InstanceObservation decoded(String service, byte[] observation) {
        try {
            return ObservationDecoder.read(service, observation, true);
        } catch (MalformedRecordException e) {
            // It was understood before it was kept; without it the window is found to be incomplete.
            return null;
        }
    }

    private SlotAllocator slots(String service) {
        return slots.computeIfAbsent(service, unused -> new SlotAllocator());
    }

    private static String seen(int slot, String service) {
        return SEEN + slot + '/' + service;
    }
}
