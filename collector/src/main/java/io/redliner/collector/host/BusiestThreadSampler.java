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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Measures the CPU use of the busiest thread of a process, in cores. Reading the times of a thread costs the same whatever it
 * does: threads are read at most once a second, and at most 200 of them a second.
 */
final class BusiestThreadSampler {

    private static final Duration EACH = Duration.ofMillis(5);

    /** The kernel's unit of CPU times: hundredths of a second, whatever its own clock is. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER = 11;

    private static final int SYSTEM = 12;

    private final CounterDeltas counters = new CounterDeltas();

    private final IntervalTimer timer = new IntervalTimer();

    private Duration pace = HostSampler.SLOW;

    /** @param process its folder, such as {@code /proc/4711} */
    void sample(SampleSet samples, Path process) {
        if (!timer.due(samples.now(), pace)) {
            return;
        }
        int threads = 0;
        double busiest = -1;
        var from = samples.now();
        try {
            for (Path task : ProcFiles.folder(process.resolve("task"), "*")) {
                threads++;
                OptionalLong ticks = ProcFiles.text(task.resolve("stat")).map(BusiestThreadSampler::ticks)
                        .orElse(OptionalLong.empty());
                var change = ticks.isEmpty()
                        ? Optional.<CounterDelta>empty()
                        : counters.read(task.toString(), ticks.getAsLong(), samples.now());
                if (change.isPresent() && change.get().perSecond() > busiest) {
                    busiest = change.get().perSecond();
                    from = change.get().from();
                }
            }
        } catch (IOException e) {
            samples.missing("the threads in " + process + " cannot be read: no cpu.thread");
            return;
        }
        Duration enough = EACH.multipliedBy(threads);
        pace = enough.compareTo(HostSampler.SLOW) > 0 ? enough : HostSampler.SLOW;
        if (busiest >= 0) {
            samples.ratio("cpu.thread", busiest / TICKS_PER_SECOND, from, pace);
        }
        if (threads > 0) {
            counters.removeOld(samples.now());
        }
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
