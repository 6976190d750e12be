// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas.CounterDelta;
import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The busiest worker of the Envoys on this machine. A worker serves its connections alone: one that is full delays their requests. */
final class ProxyThreads {

    private static final String ENVOY = "envoy";

    /** The beginning of the names of Envoy's threads that serve connections. */
    private static final String WORKER = "wrk:";

    private static final Duration SEARCH = Duration.ofSeconds(10);

    private final Path proc;

    private final IntervalTimer timer = new IntervalTimer();

    private final CounterDeltas counters = new CounterDeltas();

    private List<Path> workers = List.of();

    /** @param proc where the kernel's tables are, mostly {@code /proc} */
    ProxyThreads(Path proc) {
        this.proc = proc;
    }

    /** Returns the part of one core that it used since the last call, 0 to 1; empty without an Envoy, and when it was not measured yet. */
    OptionalDouble busiest(Instant now) {
        if (timer.due(now, SEARCH)) {
            workers = entries(proc, "[0-9]*").filter(process -> name(process).equals(ENVOY))
                    .flatMap(process -> entries(process.resolve("task"), "[0-9]*"))
                    .filter(thread -> name(thread).startsWith(WORKER)).toList();
            counters.removeOld(now);
        }
        return workers.stream().flatMap(worker -> used(worker, now).stream())
                .mapToDouble(used -> Math.min(1, used.perSecond() / ThreadSampler.TICKS_PER_SECOND)).max();
    }

    private Optional<CounterDelta> used(Path worker, Instant now) {
        OptionalLong ticks = ThreadSampler.ticks(worker);
        return ticks.isPresent()
                ? counters.read(worker.toString(), ticks.getAsLong(), now)
                : Optional.empty();
    }

    private static String name(Path processOrThread) {
        return ProcFiles.text(processOrThread.resolve("comm")).orElse("").strip();
    }

    private static Stream<Path> entries(Path folder, String names) {
        try {
            return ProcFiles.folder(folder, names).stream();
        } catch (IOException e) {
            // The check of the result says that nothing was measured.
            return Stream.empty();
        }
    }
}
