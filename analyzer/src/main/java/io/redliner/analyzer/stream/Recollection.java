// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.run.RunUnderTest;
import io.redliner.analyzer.window.Sighting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps where the analysis of live runs is, and finds it again. For one thread. */
final class Recollection {

    /**
     * What is remembered of a service.
     *
     * @param run the controllers' newest word
     * @param state of the analysis of its live run
     * @param seen observations of windows that were not judged, by the place they are in
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Recalled(byte @Nullable [] run, byte @Nullable [] state, Map<Integer, byte[]> seen) {}

    private final Memory memory;

    private final Function<String, List<Said>> unconfirmed;

    private final AnalyzerMetrics metrics;

    private final StateCodec codec = new StateCodec();

    /** @param unconfirmed the verdicts on a service that may not have been published yet */
    Recollection(Table table, Function<String, List<Said>> unconfirmed, AnalyzerMetrics metrics) {
        this.memory = new Memory(table);
        this.unconfirmed = unconfirmed;
        this.metrics = metrics;
    }

    byte @Nullable [] run(String service) {
        return memory.run(service);
    }

    void keepRun(String service, byte[] run) {
        memory.keepRun(service, run);
    }

    void forgetRun(String service) {
        memory.forgetRun(service);
    }

    void forgetState(String service) {
        memory.forgetState(service);
    }

    void keepSeen(String service, long windowStartMillis, byte[] observation) {
        memory.keepSeen(service, windowStartMillis, observation);
    }

    /** Keeps the state of the live run, if there is one, with what has just been decided. */
    void keepState(LiveService service, List<Said> said) {
        service.analysis.state().ifPresent(state -> {
            var stored = new StoredState(
                    Stream.concat(unconfirmed.apply(service.name).stream(), said.stream()).toList(),
                    codec.write(state, service.encoded));
            int bytes = memory.keepState(service.name, stored,
                    service.analysis.nextStart().orElse(Long.MIN_VALUE));
            metrics.stored(bytes);
            service.unsaved = false;
        });
    }

    Map<String, Recalled> recall() {
        return memory.recall();
    }

    /**
     * Lets a service go on where it was.
     *
     * @return verdicts that were decided, and may not have been published
     */
    List<Said> resume(LiveService service, RunUnderTest run, Recalled recalled, Instant now)
            throws UnreadableStateException {
        if (recalled.state() == null) {
            throw new UnreadableStateException("there is none");
        }
        var stored = StoredState.of(recalled.state());
        var state = codec.read(stored.state(), service.analysis.firstState(run));
        long next = state.windows().nextStart().orElse(Long.MIN_VALUE);
        var open = new ArrayList<Sighting>();
        recalled.seen().forEach((slot, observation) -> {
            var sighting = sighting(service.name, observation);
            if (sighting != null && sighting.windowStartMillis() >= next) {
                memory.recallSeen(service.name, slot, sighting.windowStartMillis());
                open.add(sighting);
            }
        });
        open.sort(Comparator.comparingLong(Sighting::sequence));
        try {
            service.analysis.resume(run, state, open, now);
        } catch (IllegalArgumentException e) {
            throw new UnreadableStateException("it is of another run", e);
        }
        return stored.unconfirmed();
    }

    private static @Nullable Sighting sighting(String service, byte[] observation) {
        try {
            return SightingReader.read(service, observation, true);
        } catch (MalformedRecordException e) {
            // It was understood before it was kept; without it the window is found to be incomplete.
            return null;
        }
    }
}
