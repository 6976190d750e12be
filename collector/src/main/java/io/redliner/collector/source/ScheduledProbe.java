// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.concurrent.WorkerThread;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source that polls a probe at the beginning of each interval of the clock, so that its measurements fit the windows. Health
 * reports a poll that fails; the next one follows as usual.
 */
public final class ScheduledProbe implements MetricSource {

    private static final Logger log = LoggerFactory.getLogger(ScheduledProbe.class);

    private static final Duration MAX_REST = Duration.ofSeconds(1);

    private final Probe probe;

    private final Pace pace;

    private final MeasurementSink measurements;

    private final InstantSource clock;

    private final AtomicLong polls = new AtomicLong();

    private final AtomicLong failures = new AtomicLong();

    private volatile @Nullable String lastFailure;

    private final WorkerThread worker;

    private ScheduledProbe(Probe probe, Pace pace, MeasurementSink measurements, InstantSource clock) {
        this.probe = probe;
        this.pace = pace;
        this.measurements = measurements;
        this.clock = clock;
        worker = WorkerThread.start("redliner-collector-" + probe.name(), this::runOnce);
    }

    /** Starts the thread that polls. */
    public static ScheduledProbe start(Probe probe, Pace pace, MeasurementSink measurements, InstantSource clock) {
        return new ScheduledProbe(probe, pace, measurements, clock);
    }

    @Override
    public String name() {
        return probe.name();
    }

    @Override
    public SourceHealth health() {
        Map<String, Object> counts = Map.of("looks", polls.get(), "failures", failures.get());
        Optional<Throwable> death = worker.failure();
        if (death.isPresent() || !worker.isAlive()) {
            return SourceHealth.dead(with(counts, death.map(Throwable::toString).orElse("closed")));
        }
        String failure = lastFailure;
        return failure == null ? SourceHealth.working(counts) : SourceHealth.impaired(with(counts, failure));
    }

    @Override
    public void close() {
        worker.close();
        if (!worker.isAlive()) {
            probe.close();
        }
    }

    private void runOnce(WorkerThread.Pause pause) throws InterruptedException {
        Instant begun = clock.instant();
        Instant due = next(begun);
        while (begun.isBefore(due)) {
            Duration rest = Duration.between(begun, due);
            pause.take(rest.compareTo(MAX_REST) < 0 ? rest : MAX_REST);
            begun = clock.instant();
            // A run may have begun, which wants to know more often.
            Instant sooner = next(begun.minusMillis(1));
            due = sooner.isBefore(due) ? sooner : due;
        }
        poll(begun, next(begun));
    }

    private void poll(Instant now, Instant next) {
        polls.incrementAndGet();
        try {
            measurements.take(probe.measure(now, next));
            measurements.measuredUntil(probe.name(), now);
            lastFailure = null;
        } catch (ProbeFailedException e) {
            measurements.take(e.measured());
            measurements.measuredUntil(probe.name(), now);
            fail(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            log.debug("Source {}", probe.name(), e);
            fail("a look failed: " + e);
        }
    }

    private void fail(String reason) {
        failures.incrementAndGet();
        if (!reason.equals(lastFailure)) {
            log.warn("Source {}: {}", probe.name(), reason);
        }
        lastFailure = reason;
    }

    private Instant next(Instant now) {
        long interval = pace.interval().toMillis();
        return Instant.ofEpochMilli((Math.floorDiv(now.toEpochMilli(), interval) + 1) * interval);
    }

    private static Map<String, Object> with(Map<String, Object> details, String reason) {
        var all = new HashMap<>(details);
        all.put("reason", reason);
        return all;
    }

    /** Sets the interval of the polls. */
    @FunctionalInterface
    public interface Pace {

        /** Returns the interval at the moment, whole milliseconds, above 0. */
        Duration interval();
    }

    /** Measures something at regular times, see {@link ScheduledProbe}. For one thread. */
    public interface Probe extends AutoCloseable {

        /** Returns the name in the settings and in health, such as {@code host}; in lower case. */
        String name();

        /**
         * Measures once. A value between two polls, such as a rate, covers the time since the last one.
         *
         * @param now the time of this poll
         * @param next when the next poll is expected: values should be held a little longer than until then
         * @throws ProbeFailedException when something that should be measured could not be; it carries the other measurements
         */
        List<GaugeMeasurement> measure(Instant now, Instant next) throws ProbeFailedException;

        @Override
        default void close() {}
    }
}
