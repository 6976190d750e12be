// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.redirector.discovery.ServiceDefinitions;
import java.nio.file.Path;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the services file at an interval, and hands on the whole definitions when they changed. It compares the content: file
 * times are too coarse, and the operating system's events depend on how editors and Kubernetes put a new file in place. A
 * change counts when two readings in a row are equal, so that a file that is being written is not taken for a shorter one.
 */
final class ServicesFilePoller implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(ServicesFilePoller.class);

    private final Path file;

    private final long intervalMillis;

    private final ServiceDefinitions.Listener listener;

    private final ScheduledThreadPoolExecutor thread;

    private @Nullable Reading lastReading;

    private @Nullable Reading reportedReading;

    ServicesFilePoller(ServicesProperties properties, ServiceDefinitions.Listener listener) {
        this.file = properties.file();
        this.intervalMillis = Math.max(1, properties.pollInterval().toMillis());
        this.listener = listener;
        this.thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("services-file").factory());
    }

    /** Starts the periodic reading. */
    // Each reading reports its own result.
    @SuppressWarnings("FutureReturnValueIgnored")
    void begin() {
        thread.scheduleWithFixedDelay(this::poll, 0, intervalMillis, TimeUnit.MILLISECONDS);
    }

    /** Reads the file once. Whatever it throws shows in health, because an executor silently drops a periodic task that throws. */
    void poll() {
        try {
            Reading reading = Reading.at(file);
            boolean settled = reading.equals(lastReading);
            lastReading = reading;
            if (settled && !reading.equals(reportedReading)) {
                publish(reading);
                reportedReading = reading;
            }
        } catch (Throwable broken) {
            LOGGER.debug("the services file cannot be read", broken);
            reportedReading = null;
            listener.definitionsRejected("the services file cannot be read: " + broken);
        }
    }

    private void publish(Reading reading) {
        switch (reading) {
            case Reading.NoText nothing -> listener.definitionsRejected(nothing.problem());
            case Reading.Text text -> {
                ServiceDefinitions definitions;
                try {
                    definitions = ServicesFileParser.parse(file.toString(), text.content());
                } catch (InvalidServicesFileException invalid) {
                    listener.definitionsRejected(String.valueOf(invalid.getMessage()));
                    return;
                }
                listener.defined(definitions);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** The services file as it was read once. Two readings are equal when nothing has changed between them. */
    private sealed interface Reading {

        /** The text of the file, which is not parsed yet. */
        record Text(String content) implements Reading {}

        /** The file could not be read. */
        record NoText(String problem) implements Reading {}

        static Reading at(Path file) {
            try {
                return new Text(ServicesFileParser.text(file));
            } catch (InvalidServicesFileException unreadable) {
                return new NoText(String.valueOf(unreadable.getMessage()));
            }
        }
    }
}
