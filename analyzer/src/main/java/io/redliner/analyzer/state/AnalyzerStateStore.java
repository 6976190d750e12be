// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.analyzer.codec.MalformedRecordException;
import io.redliner.analyzer.codec.ObservationDecoder;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.windowing.InstanceObservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps where the analysis of live runs is, and finds it again. For one thread. */
public final class AnalyzerStateStore {

    /**
     * What is remembered of a service.
     *
     * @param run the controllers' newest word
     * @param state of the analysis of its live run
     * @param seen observations of windows that were not judged, by the place they are in
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Recalled(byte @Nullable [] run, byte @Nullable [] state, Map<Integer, byte[]> seen) {}

    private final StateTable memory;

    private final Function<String, List<EncodedVerdict>> unconfirmed;

    private final IntConsumer stored;

    private final SnapshotCodec codec = new SnapshotCodec();

    /** @param unconfirmed the verdicts on a service that may not have been published yet */
    public AnalyzerStateStore(KeyValueTable table, Function<String, List<EncodedVerdict>> unconfirmed,
            IntConsumer stored) {
        this.memory = new StateTable(table);
        this.unconfirmed = unconfirmed;
        this.stored = stored;
    }

    /** The last run on a service, as it came. */
    public byte @Nullable [] run(String service) {
        return memory.run(service);
    }

    /** Keeps a run, as it came. */
    public void keepRun(String service, byte[] run) {
        memory.keepRun(service, run);
    }

    /** There is no run on the service any more. */
    public void forgetRun(String service) {
        memory.forgetRun(service);
    }

    /** The run on the service is over. */
    public void forgetState(String service) {
        memory.forgetState(service);
    }

    /** Keeps an observation of a window that is open. */
    public void keepSeen(String service, long windowStartMillis, byte[] observation) {
        memory.keepSeen(service, windowStartMillis, observation);
    }

    /** Keeps the state of the live run, if there is one, with what has just been decided. */
    public void keepState(TrackedService service, List<EncodedVerdict> said) {
        service.analysis().state().ifPresent(state -> {
            var snapshot = new AnalyzerSnapshot(
                    Stream.concat(unconfirmed.apply(service.name()).stream(), said.stream()).toList(),
                    codec.write(state, service.encoded()));
            int bytes = memory.keepState(service.name(), snapshot,
                    service.analysis().nextStart().orElse(Long.MIN_VALUE));
            stored.accept(bytes);
            service.unsaved(false);
        });
    }

    /** All that is kept, by service. */
    public Map<String, Recalled> recall() {
        return memory.recall();
    }

    /**
     * Lets a service go on where it was.
     *
     * @return verdicts that were decided, and may not have been published
     */
    public List<EncodedVerdict> resume(TrackedService service, RunContext run, Recalled recalled, Instant now)
            throws UnusableSnapshotException {
        if (recalled.state() == null) {
            throw new UnusableSnapshotException("there is none");
        }
        var stored = AnalyzerSnapshot.of(recalled.state());
        var state = codec.read(stored.state(), service.analysis().firstState(run));
        long next = state.windows().nextStart().orElse(Long.MIN_VALUE);
        var open = new ArrayList<InstanceObservation>();
        recalled.seen().forEach((slot, observation) -> {
            var sighting = sighting(service.name(), observation);
            if (sighting != null && sighting.windowStartMillis() >= next) {
                memory.recallSeen(service.name(), slot, sighting.windowStartMillis());
                open.add(sighting);
            }
        });
        open.sort(Comparator.comparingLong(InstanceObservation::sequence));
        try {
            service.analysis().resume(run, state, open, now);
        } catch (IllegalArgumentException e) {
            throw new UnusableSnapshotException("it is of another run", e);
        }
        return stored.unconfirmed();
    }

    private static @Nullable InstanceObservation sighting(String service, byte[] observation) {
        try {
            return ObservationDecoder.read(service, observation, true);
        } catch (MalformedRecordException e) {
            // It was understood before it was kept; without it the window is found to be incomplete.
            return null;
        }
    }
}
