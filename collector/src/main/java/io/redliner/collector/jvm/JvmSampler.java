// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.jvm.GarbageCollector.GcPause;
import io.redliner.collector.jvm.JvmConnector.JvmConnection;
import io.redliner.collector.jvm.PauseCounts.Cause;
import io.redliner.collector.jvm.Safepoints.OtherStops;
import io.redliner.collector.source.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/** Polls one JVM through one connection. Values that cover the time between polls begin with the second poll. */
final class JvmSampler {

    private final Target target;

    private final JvmConnection jvm;

    private final InstantSource clock;

    private final GarbageCollectors garbage;

    private final JvmProcessUsage processUsage;

    private final ThreadStates threads;

    private final Safepoints safepoints;

    private @Nullable Instant last;

    JvmSampler(Target target, JvmConnection jvm, JvmProperties properties, InstantSource clock)
            throws IOException, JMException {
        this.target = target;
        this.jvm = jvm;
        this.clock = clock;
        MBeanReader beans = new MBeanReader(jvm.beans());
        garbage = new GarbageCollectors(beans);
        processUsage = new JvmProcessUsage(beans, target.local());
        threads = new ThreadStates(beans, properties);
        safepoints = new Safepoints(jvm.process().isPresent()
                ? HsPerfData.file(Path.of("/proc"), jvm.process().getAsLong())
                : Optional.empty());
    }

    /**
     * Polls once. The order matters. Safepoints are read before collections, see {@link Safepoints.RemainderDelta}. The CPU
     * time is read last, so that it includes all that the collections used.
     */
    JvmPoller.Answer sample(Duration interval) throws IOException, JMException {
        Instant begun = clock.instant();
        double expected = expectedUptime(begun);
        double first = processUsage.uptimeNow();
        safepoints.read();
        garbage.read();
        threads.read(begun, interval);
        processUsage.read();
        Instant now = clock.instant();
        Instant from = last;
        last = now;
        JvmSampleSet samples = new JvmSampleSet(target.instanceId(), from == null || from.isAfter(now) ? now : from,
                now,
                interval.plus(interval.dividedBy(2)));
        processUsage.report(samples);
        garbage.heapAfterCollection().ifPresent(bytes -> processUsage.reportHeap(bytes, samples));
        garbage.report(samples);
        threads.report(samples, interval);
        safepoints.report(samples);
        Optional<OtherStops> others = safepoints.others(garbage.totalStoppedSeconds(), garbage.totalStops());
        if (from != null) {
            others.ifPresent(stops -> samples.over("process.pause", stops.mean()));
            PauseCounts pauses = new PauseCounts(jvm.process().isPresent(), others);
            collections(samples, pauses);
            double late = Math.max(first - expected, processUsage.uptimeMillis() - first) / 1e3;
            standstill(begun, late, processUsage.cpuSince(expected), samples, pauses);
            pauses.report(samples);
        }
        return new JvmPoller.Answer(samples.measured(), threads.problem()
                .map(problem -> List.of("the JVM of " + target.instanceId() + " " + problem)).orElse(List.of()));
    }

    private void collections(JvmSampleSet samples, PauseCounts pauses) {
        garbage.countedStops().forEach(stop -> pauses.addCollection(stop.seconds(),
                GcPause.osCaused(stop.seconds(), processUsage.cpuIn(stop))));
        samples.over("gc.pause", 0);
        samples.over("gc.pause.os-caused", 0);
        garbage.stopsByCollector().forEach((collector, stop) -> samples.event("gc.pause[" + collector + "]",
                stop.seconds(), at(stop.beginMillis(), samples), at(stop.endMillis(), samples)));
        garbage.longestStop().ifPresent(stop -> {
            Instant begin = at(stop.beginMillis(), samples);
            Instant end = at(stop.endMillis(), samples);
            double cpu = processUsage.cpuIn(stop);
            samples.event("gc.pause", stop.seconds(), begin, end);
            if (!Double.isNaN(cpu)) {
                samples.event("gc.pause.cpu", cpu, begin, end);
            }
            if (GcPause.osCaused(stop.seconds(), cpu)) {
                samples.event("gc.pause.os-caused", stop.seconds(), begin, end);
            }
        });
    }

    /** Returns the uptime that the last poll leads to expect. */
    private double expectedUptime(Instant now) {
        Instant before = last;
        return before == null
                ? Double.NaN
                : processUsage.uptimeMillis() + Duration.between(before, now).toNanos() / 1e6;
    }

    /**
     * Adds a pause of the whole process. A process that was stopped altogether is older than expected at its first answer, or
     * ages too much from the first answer to the last. For a JVM on another machine the network could be the cause.
     */
    private void standstill(Instant begun, double late, double cpu, JvmSampleSet samples, PauseCounts pauses) {
        double seconds = late - garbage.longestStop().map(GcPause::seconds).orElse(0.0);
        if (jvm.process().isPresent() && GcPause.osCaused(seconds, cpu)) {
            pauses.add(Cause.OPERATING_SYSTEM, seconds);
            samples.event("process.pause", seconds, begun, begun.plusMillis(Math.round(late * 1e3)));
        }
    }

    /** Converts a bean's time, milliseconds since the JVM began, to an instant. */
    private Instant at(long millis, JvmSampleSet samples) {
        return samples.to().minusMillis(Math.max(0, Math.round(processUsage.uptimeMillis()) - millis));
    }

    void close() throws IOException {
        try {
            garbage.close();
        } catch (JMException e) {
            // It is over anyway: the beans' listeners end with the connection.
            throw new IOException(e);
        }
    }
}
