// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an Envoy running until it is closed: one that dies is started again at once, see {@link RestartPolicy}. One that does not answer is
 * reported and left alone, because its workers may still serve users.
 */
public final class EnvoySupervisor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EnvoySupervisor.class);

    private static final Duration LIVE_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    /** Interval of the health checks of the proxy, and their timeout. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private static final int MAX_SILENT_POLLS = 3;

    private static final double MILLIS_IN_SECOND = 1_000;

    private final Supplier<EnvoyProcess> starting;

    private final ProcessListener listener;

    private final InstantSource clock;

    private final RestartPolicy policy = new RestartPolicy();

    private final CountDownLatch closing = new CountDownLatch(1);

    private final Thread thread = Thread.ofPlatform().daemon().name("envoy-supervisor").unstarted(this::supervise);

    private volatile EnvoyProcess process;

    private volatile Optional<String> problem = Optional.empty();

    private Instant startedAt;

    /**
     * Supervises a process from {@link #awaitLive} on.
     *
     * @param first that was started
     * @param starting starts the next one, with the same configuration; throws when that is not possible
     */
    public EnvoySupervisor(EnvoyProcess first, Supplier<EnvoyProcess> starting, ProcessListener listener,
            InstantSource clock) {
        this.process = first;
        this.starting = starting;
        this.listener = listener;
        this.clock = clock;
        this.startedAt = clock.instant();
    }

    /**
     * Waits until the first process serves, and supervises it from now on.
     *
     * @throws IllegalStateException as {@link EnvoyProcess#awaitLive} does
     */
    public void awaitLive(Duration timeout) {
        process.awaitLive(timeout);
        thread.start();
    }

    private void supervise() {
        try {
            do {
                watch();
            } while (!isClosing() && restart());
        } catch (InterruptedException closed) {
            log.debug("The supervisor of Envoy ends");
        }
    }

    /** Waits until the process has ended, and reports meanwhile whether it answers. */
    private void watch() throws InterruptedException {
        int silent = 0;
        while (!process.ended(POLL_INTERVAL)) {
            silent = process.answers(POLL_INTERVAL) ? 0 : silent + 1;
            if (silent == MAX_SILENT_POLLS) {
                String hung = "Envoy (process " + process.pid() + ") runs and has not answered " + MAX_SILENT_POLLS
                        + " times in a row: users may wait for answers. If it stays so, end the process: it is started again";
                problem = Optional.of(hung);
                report(hung);
            } else if (silent == 0 && problem.isPresent()) {
                problem = Optional.empty();
                report("Envoy (process " + process.pid() + ") answers again");
            }
        }
    }

    /** Returns whether a process runs again. */
    private boolean restart() throws InterruptedException {
        Instant diedAt = clock.instant();
        String death = "Envoy (process " + process.pid()
                + ") died: users are refused until it runs again, with the same configuration";
        problem = Optional.of(death);
        report(death);
        String why = "see its log";
        Optional<Duration> delay = policy.afterDeath(Duration.between(startedAt, diedAt));
        while (delay.isPresent()) {
            if (closing.await(delay.get().toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
            try {
                startedAt = clock.instant();
                process = starting.get();
                process.awaitLive(LIVE_TIMEOUT);
                problem = Optional.empty();
                report(String.format(Locale.ROOT, "Envoy runs again (process %d): users were refused for %.1f s",
                        process.pid(), Duration.between(diedAt, clock.instant()).toMillis() / MILLIS_IN_SECOND));
                return true;
            } catch (RuntimeException failure) {
                if (isClosing()) {
                    return false;
                }
                log.warn("Envoy does not start again", failure);
                why = cause(String.valueOf(failure.getMessage()));
                process.close();
                delay = policy.afterDeath(Duration.ZERO);
            }
        }
        String end = "Envoy died or could not be started " + policy.deaths()
                + " times in a row and is not started again: " + why
                + ". Its log: " + process.log();
        problem = Optional.of(end);
        log.error(end);
        listener.gaveUp(end);
        return false;
    }

    /** Returns the line of the message that names what Envoy could not do; the message may contain the end of the log. */
    private static String cause(String message) {
        return message.lines().filter(line -> line.contains("[critical]")).findFirst()
                .orElseGet(() -> message.lines().findFirst().orElse(message));
    }

    private void report(String text) {
        log.warn(text);
        listener.changed(text);
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Returns why users are refused now; empty while the proxy runs. */
    public Optional<String> problem() {
        return problem;
    }

    /** Returns the port of the admin interface. */
    public int adminPort() {
        return process.adminPort();
    }

    /** Returns the operating system's id of the process that was started last. */
    public long pid() {
        return process.pid();
    }

    /** Ends the proxy, and starts it no more. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            // It may not have been started, when the user ends everything meanwhile.
            thread.join(STOP_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        process.close();
    }

    /**
     * Decides when a process that died is started again: at once, after growing delays when it dies repeatedly, and finally not at
     * all. For one thread.
     */
    static final class RestartPolicy {

        /** The deaths before a longer life do not count any more. */
        private static final Duration LONG_LIFE = Duration.ofSeconds(10);

        private static final Duration FIRST_DELAY = Duration.ofMillis(100);

        /** The largest number of starts. Their delays add up to 3.1 s in which the process does not run. */
        private static final int MAX_STARTS = 6;

        private int deaths;

        /**
         * Counts a death.
         *
         * @param lived zero when it could not be started
         * @return the delay until the next start; empty when there is none
         */
        Optional<Duration> afterDeath(Duration lived) {
            deaths = lived.compareTo(LONG_LIFE) >= 0 ? 1 : deaths + 1;
            if (deaths > MAX_STARTS) {
                return Optional.empty();
            }
            return Optional.of(deaths == 1 ? Duration.ZERO : FIRST_DELAY.multipliedBy(1L << (deaths - 2)));
        }

        /** Returns how often the process died without a longer life in between. */
        int deaths() {
            return deaths;
        }
    }
}
