// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import io.redliner.contract.retry.Backoff;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server-sent events of one run, on a thread of its own. A stream that breaks off, or is silent for longer than the
 * controller's heartbeat allows, is opened again behind the last event.
 */
public final class RunEventClient implements AutoCloseable {

    /** A longer silence means a broken connection: the controller sends a heartbeat every 10 s. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(25);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    /** Harm, conditions and the like are no part of the events. */
    private static final Duration SNAPSHOT = Duration.ofSeconds(2);

    private final ControllerClient controller;

    private final String path;

    private final Consumer<RunStreamEvent> listener;

    private final InstantSource clock;

    private final Backoff backoff;

    private final CountDownLatch closed = new CountDownLatch(1);

    private volatile @Nullable InputStream open;

    private volatile Instant receivedAt;

    private @Nullable String last;

    private Instant snapshotAt = Instant.MIN;

    private boolean over;

    /**
     * Begins to listen.
     *
     * @param path of the run, from {@code /api/v1} on
     * @param listener is called on the thread that listens
     */
    public static RunEventClient follow(ControllerClient controller, String path, Consumer<RunStreamEvent> listener,
            InstantSource clock) {
        RunEventClient events = new RunEventClient(controller, path, listener, clock);
        Thread.ofVirtual().name("events of " + path).start(events::run);
        return events;
    }

    private RunEventClient(ControllerClient controller, String path, Consumer<RunStreamEvent> listener,
            InstantSource clock) {
        this.controller = controller;
        this.path = path;
        this.listener = listener;
        this.clock = clock;
        this.backoff = new Backoff(FIRST_PAUSE, MAX_PAUSE, clock);
        this.receivedAt = clock.instant();
    }

    /** To be called now and then: gives up a connection that nothing comes from any more. */
    public void breakSilence() {
        InputStream stream = open;
        if (stream != null && clock.instant().isAfter(receivedAt.plus(MAX_SILENCE))) {
            quietly(stream);
        }
    }

    private void run() {
        try {
            do {
                listen();
            } while (!over && !closed.await(backoff.failed().toMillis(), TimeUnit.MILLISECONDS));
        } catch (RequestRejectedException rejected) {
            listener.accept(new RunStreamEvent.Refused(rejected));
        } catch (RuntimeException mistake) {
            listener.accept(
                    new RunStreamEvent.Refused(new IOException("the events cannot be followed: " + mistake, mistake)));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() throws RequestRejectedException, InterruptedException {
        try {
            HttpResponse<InputStream> answer = controller.events(path + "/events", last);
            try (InputStream stream = answer.body();
                    BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                receivedAt = clock.instant();
                open = stream;
                backoff.succeeded();
                listener.accept(new RunStreamEvent.Connected(clockAhead(answer)));
                read(lines);
            } finally {
                open = null;
            }
            if (!over && closed.getCount() > 0) {
                listener.accept(new RunStreamEvent.Lost("the controller ended the stream"));
            }
        } catch (RequestRejectedException rejected) {
            throw rejected;
        } catch (IOException failure) {
            if (closed.getCount() > 0) {
                listener.accept(new RunStreamEvent.Lost(String.valueOf(failure.getMessage())));
            }
        }
    }

    private void read(BufferedReader lines) throws IOException, InterruptedException {
        Frame frame = new Frame();
        for (String line = lines.readLine(); line != null && !over; line = lines.readLine()) {
            receivedAt = clock.instant();
            if (!line.isEmpty()) {
                frame.add(line);
            } else if (frame.isComplete()) {
                handle(frame);
                frame = new Frame();
            }
        }
    }

    private void handle(Frame frame) throws IOException, InterruptedException {
        if (frame.name.equals("end")) {
            over = true;
            listener.accept(new RunStreamEvent.Ended(controller.read(frame.data())));
            return;
        }
        if (frame.name.equals("error")) {
            listener.accept(new RunStreamEvent.Lost(controller.read(frame.data()).path("detail").asString("")));
            return;
        }
        // Before it is read: one that cannot be read would be asked for again and again.
        last = frame.id == null ? last : frame.id;
        listener.accept(new RunStreamEvent.Event(controller.read(frame.data())));
        if (clock.instant().isAfter(snapshotAt.plus(SNAPSHOT))) {
            snapshotAt = clock.instant();
            snapshot();
        }
    }

    private void snapshot() throws RequestRejectedException, InterruptedException {
        try {
            listener.accept(new RunStreamEvent.Snapshot(controller.get(path)));
        } catch (RequestRejectedException rejected) {
            throw rejected;
        } catch (IOException failure) {
            // The events go on, and the next view brings what this one would have.
        }
    }

    private Duration clockAhead(HttpResponse<?> answer) {
        try {
            return answer.headers().firstValue("Date")
                    .map(date -> Duration.between(clock.instant(),
                            Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date))))
                    .orElse(Duration.ZERO);
        } catch (DateTimeException unreadable) {
            return Duration.ZERO;
        }
    }

    private static void quietly(InputStream stream) {
        try {
            stream.close();
        } catch (IOException ignored) {
            // It is gone, and that is what was wanted.
        }
    }

    @Override
    public void close() {
        closed.countDown();
        InputStream stream = open;
        if (stream != null) {
            quietly(stream);
        }
    }

    /** One event as it comes in, line by line. */
    private static final class Frame {

        private final StringBuilder data = new StringBuilder();

        private @Nullable String id;

        private String name = "";

        void add(String line) {
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            value = value.startsWith(" ") ? value.substring(1) : value;
            switch (field) {
                case "data" -> data.append(value).append('\n');
                case "id" -> id = value;
                case "event" -> name = value;
                default -> {
                    // A comment, the time to reconnect, or nothing that is known.
                }
            }
        }

        boolean isComplete() {
            return !data.isEmpty();
        }

        String data() {
            return data.toString();
        }
    }
}
