// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/** The busiest thread of the Envoys on this machine. A worker of Envoy serves a connection alone: one that is full delays its requests. */
final class ProxyThreads {

    private static final String ENVOY = "envoy";

    private static final Duration SEARCH = Duration.ofSeconds(10);

    private static final InstanceId SELF = new InstanceId("redliner", ENVOY);

    private final Path proc;

    private final IntervalTimer timer = new IntervalTimer();

    private final ThreadSampler threads = new ThreadSampler();

    private List<Path> proxies = List.of();

    /** @param proc where the kernel's tables are, mostly {@code /proc} */
    ProxyThreads(Path proc) {
        this.proc = proc;
    }

    /** Returns the part of one core that it used since the last call; empty without an Envoy, and when it was not measured yet. */
    OptionalDouble busiest(Instant now) {
        if (timer.due(now, SEARCH)) {
            proxies = envoys();
        }
        SampleSet samples = new SampleSet(now, now);
        threads.sample(samples, proxies);
        return samples.measurements(SELF).stream().filter(reading -> reading.name().equals("cpu.thread"))
                .mapToDouble(GaugeMeasurement::value).max();
    }

    private List<Path> envoys() {
        try {
            return ProcFiles.folder(proc, "[0-9]*").stream()
                    .filter(process -> ProcFiles.text(process.resolve("comm")).orElse("").startsWith(ENVOY)).toList();
        } catch (IOException e) {
            // The check of the result says that it was not measured.
            return List.of();
        }
    }
}
