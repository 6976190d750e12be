// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.CounterDeltas.CounterDelta;
import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Measures the CPU use of the busiest thread of an instance's processes, in cores, and how many of their threads wait for a CPU. The
 * threads of an interpreter that take turns (Python's, Ruby's) count as one. Reading the times of a thread costs the same whatever it
 * does: threads are read at most once a second, and at most 200 of them a second.
 */
final class ThreadSampler {

    private static final Duration EACH = Duration.ofMillis(5);

    /** The kernel's unit of CPU times: hundredths of a second, whatever its own clock is. */
    static final double TICKS_PER_SECOND = 100;

    private static final double NANOS_PER_SECOND = 1e9;

    /** The place of the time without a CPU in {@code schedstat}. */
    private static final int WAITED = 1;

    private static final int USER = 11;

    private static final int SYSTEM = 12;

    /**
     * The end of a mapped file's path in an interpreter whose threads take turns: {@code python3.11}, {@code libruby.so}. Those of
     * {@code python3.14t} do not.
     */
    private static final Pattern INTERPRETER = Pattern.compile("/(lib)?(python[0-9.]*+(?!t)|pypy|ruby)[^/\n]*$",
            Pattern.MULTILINE);

    /**
     * Cores that threads which take turns use at most, in system calls beside each other, too. Those of a process that uses more do not
     * take turns, such as those of NumPy.
     */
    private static final double MAX_IN_TURNS = 1.25;

    private final CounterDeltas counters = new CounterDeltas();

    /** True for each process that is such an interpreter. */
    private final Map<Path, Boolean> interpreters = new HashMap<>();

    private final IntervalTimer timer = new IntervalTimer();

    private Duration pace = HostSampler.SLOW;

    /** @param processes their folders, such as {@code /proc/4711} */
    void sample(SampleSet samples, List<Path> processes) {
        if (!timer.due(samples.now(), pace)) {
            return;
        }
        int threads = 0;
        double busiest = -1;
        double waiting = -1;
        var from = samples.now();
        interpreters.keySet().retainAll(processes);
        for (Path process : processes) {
            Optional<CounterDelta> together = interpreters.computeIfAbsent(process, ThreadSampler::takesTurns)
                    ? change(process + ".used", ticks(process), samples)
                    : Optional.empty();
            if (together.isPresent() && together.get().perSecond() > busiest
                    && together.get().perSecond() <= MAX_IN_TURNS * TICKS_PER_SECOND) {
                busiest = together.get().perSecond();
                from = together.get().from();
            }
            try {
                for (Path task : ProcFiles.folder(process.resolve("task"), "*")) {
                    threads++;
                    var used = change(task + ".used", ticks(task), samples);
                    if (used.isPresent() && used.get().perSecond() > busiest) {
                        busiest = used.get().perSecond();
                        from = used.get().from();
                    }
                    var waited = change(task + ".waited", waitedNanos(task), samples);
                    waiting = waited.isEmpty() ? waiting : Math.max(0, waiting) + waited.get().perSecond();
                }
            } catch (IOException e) {
                samples.missing("the threads in " + process + " cannot be read: no cpu.thread");
                return;
            }
        }
        Duration enough = EACH.multipliedBy(threads);
        pace = enough.compareTo(HostSampler.SLOW) > 0 ? enough : HostSampler.SLOW;
        if (busiest >= 0) {
            samples.ratio("cpu.thread", busiest / TICKS_PER_SECOND, from, pace);
        }
        if (waiting >= 0) {
            samples.over("cpu.waiting", waiting / NANOS_PER_SECOND, from, pace);
        }
        if (threads > 0) {
            counters.removeOld(samples.now());
        }
    }

    private static boolean takesTurns(Path process) {
        return ProcFiles.text(process.resolve("maps")).filter(maps -> INTERPRETER.matcher(maps).find()).isPresent();
    }

    private Optional<CounterDelta> change(String name, OptionalLong value, SampleSet samples) {
        return value.isEmpty() ? Optional.empty() : counters.read(name, value.getAsLong(), samples.now());
    }

    /** Returns for how long a thread could run and had no CPU, in nanoseconds. Empty where the kernel does not count it. */
    private static OptionalLong waitedNanos(Path task) {
        String[] fields = ProcFiles.text(task.resolve("schedstat")).orElse("").strip().split(" ", -1);
        return fields.length > WAITED ? ProcFiles.number(fields[WAITED]) : OptionalLong.empty();
    }

    /** Reads the CPU time of a process or a thread, in hundredths of a second. */
    static OptionalLong ticks(Path task) {
        return ProcFiles.text(task.resolve("stat")).map(ThreadSampler::ticks).orElse(OptionalLong.empty());
    }

    /** Returns the CPU time in a thread's {@code stat}, in hundredths of a second. */
    static OptionalLong ticks(String stat) {
        List<String> fields = ProcFiles.stat(stat);
        if (fields.size() <= SYSTEM) {
            return OptionalLong.empty();
        }
        OptionalLong user = ProcFiles.number(fields.get(USER));
        OptionalLong system = ProcFiles.number(fields.get(SYSTEM));
        return user.isEmpty() || system.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(user.getAsLong() + system.getAsLong());
    }
}
