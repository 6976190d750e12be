// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.jvm.JvmConnector.JvmConnection;
import io.redliner.collector.jvm.JvmConnector.NoJvmException;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a connection to one JVM and polls it, on a thread of its own: a call to a JVM that stands still ends when the JVM goes
 * on. A connection that broke is made again at once, then with growing pauses.
 */
final class JvmPoller implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(JvmPoller.class);

    private static final Duration MIN_REST = Duration.ofSeconds(1);

    private static final Duration MAX_REST = Duration.ofSeconds(30);

    /** A JVM that takes longer counts as not answering; connecting takes most of a second. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final Target target;

    private final JvmConnector connector;

    private final JvmProperties properties;

    private final MeasurementSink measurements;

    private final InstantSource clock;

    private final ExecutorService thread;

    private @Nullable Future<List<String>> inProgress;

    private Instant requestedAt = Instant.MAX;

    private boolean prompt;

    private List<String> troubles = List.of();

    // What follows belongs to the thread.

    private @Nullable JvmConnection jvm;

    private @Nullable JvmSampler sampler;

    private Instant retry = Instant.MIN;

    private Duration rest = Duration.ZERO;

    private String problem = "";

    JvmPoller(Target target, JvmConnector connector, JvmProperties properties, MeasurementSink measurements,
            InstantSource clock) {
        this.target = target;
        this.connector = connector;
        this.properties = properties;
        this.measurements = measurements;
        this.clock = clock;
        thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("redliner-collector-jvm-" + target.instanceId().instance()).daemon()
                        .factory());
    }

    /** Starts a poll, unless the last one is still under way. Its measurements are handed over when it is done. */
    void request(Duration interval) {
        settle();
        prompt = inProgress == null;
        if (inProgress == null) {
            requestedAt = clock.instant();
            inProgress = thread.submit(() -> sample(interval));
        }
    }

    /** Returns the problems of the last completed poll, or that the present one has taken too long. */
    List<String> problems() {
        settle();
        if (inProgress != null && requestedAt.isBefore(clock.instant().minus(SILENCE))) {
            troubles = List.of(message("does not answer"));
        }
        return troubles;
    }

    private void settle() {
        Future<List<String>> pending = inProgress;
        if (pending != null && pending.isDone()) {
            troubles = problems(pending);
            inProgress = null;
        }
    }

    /**
     * Waits until the poll is done. It does not wait when the previous poll was still under way at the last {@link #request}: the
     * JVM hangs then.
     */
    void await(Duration timeout) {
        Future<List<String>> pending = inProgress;
        if (prompt && pending != null) {
            try {
                pending.get(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // The troubles of the poll report the failure.
                log.debug("No look at the JVM of {} yet", target.instanceId(), e);
            }
        }
    }

    private List<String> problems(Future<List<String>> done) {
        try {
            return done.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return troubles;
        } catch (ExecutionException e) {
            log.warn("The look at the JVM of {} failed", target.instanceId(), e);
            return List.of(message("failed: " + e.getCause()));
        }
    }

    private List<String> sample(Duration interval) {
        JvmSampler openSampler = connect();
        if (openSampler == null) {
            return problem.isEmpty() ? List.of() : List.of(problem);
        }
        Answer answer;
        try {
            answer = openSampler.sample(interval);
        } catch (IOException | JMException | RuntimeException e) {
            failed("broke off: " + reason(e));
            return List.of(problem);
        }
        rest = Duration.ZERO;
        measurements.take(answer.measured());
        return answer.troubles();
    }

    /** Disconnects after a failure. The next attempt is made at once, those after it with growing pauses, until a poll succeeds. */
    private void failed(String what) {
        disconnect();
        problem = message(what);
        retry = clock.instant().plus(rest);
        Duration longer = rest.isZero() ? MIN_REST : rest.multipliedBy(2);
        rest = longer.compareTo(MAX_REST) < 0 ? longer : MAX_REST;
    }

    private @Nullable JvmSampler connect() {
        if (sampler == null && !clock.instant().isBefore(retry)) {
            try {
                JvmConnection opened = connector.open();
                jvm = opened;
                sampler = new JvmSampler(target, opened, properties, clock);
            } catch (NoJvmException e) {
                // Another process may listen there some day.
                problem = "";
                retry = clock.instant().plus(MAX_REST);
            } catch (IOException | JMException | RuntimeException e) {
                failed("cannot be reached: " + reason(e));
            }
        }
        return sampler;
    }

    private void disconnect() {
        JvmConnection closing = jvm;
        JvmSampler last = sampler;
        jvm = null;
        sampler = null;
        try {
            try {
                if (last != null) {
                    last.close();
                }
            } finally {
                // Also when its listeners could not be taken away: its threads and its socket would stay.
                if (closing != null) {
                    closing.end().close();
                }
            }
        } catch (IOException | RuntimeException e) {
            log.debug("The connection to {} was broken already", target.instanceId(), e);
        }
    }

    private String message(String what) {
        return "the JVM of " + target.instanceId() + " " + what;
    }

    private static String reason(Throwable failure) {
        Throwable deepest = failure;
        for (int depth = 0; depth < 10 && deepest.getCause() != null; depth++) {
            deepest = deepest.getCause();
        }
        return deepest.getMessage() == null ? deepest.toString() : deepest.getMessage();
    }

    /**
     * Does not wait for the thread: a JVM that does not answer cannot be disconnected from, and the thread ends with the process.
     */
    @Override
    public void close() {
        thread.execute(this::disconnect);
        thread.shutdown();
    }

    /** The result of a poll. */
    record Answer(List<GaugeMeasurement> measured, List<String> troubles) {}
}
