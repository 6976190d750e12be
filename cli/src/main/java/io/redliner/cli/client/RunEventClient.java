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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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

    /** A message about the run, or about the stream itself. */
    public sealed interface StreamEvent {

        /** A decision, as the API represents it. */
        record Decided(JsonNode decision) implements StreamEvent {}

        /** The run as it is now, with its harm and conditions. */
        record Snapshot(JsonNode run) implements StreamEvent {}

        /** The run is over. */
        record Ended(JsonNode run) implements StreamEvent {}

        /**
         * The stream is open, for the first time or after a reconnection.
         *
         * @param clockAhead how much the controller's clock is ahead of this machine's, to the second
         */
        record Connected(Duration clockAhead) implements StreamEvent {}

        /** The stream broke off, and is being opened again. */
        record Lost(String why) implements StreamEvent {}

        /** The controller rejects the request: there is no such run (any more), or this caller may not see it. */
        record Refused(IOException why) implements StreamEvent {}
    }

    private final ControllerClient controller;

    private final String path;

    private final Consumer<StreamEvent> listener;

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
    public static RunEventClient follow(ControllerClient controller, String path, Consumer<StreamEvent> listener,
            InstantSource clock) {
        RunEventClient events = new RunEventClient(controller, path, listener, clock);
        Thread.ofVirtual().name("events of " + path).start(events::run);
        return events;
    }

    private RunEventClient(ControllerClient controller, String path, Consumer<StreamEvent> listener,
            InstantSource clock) {
        this.controller = controller;
        this.path = path;
        this.listener = listener;
        this.clock = clock;
        this.backoff = new Backoff(FIRST_PAUSE, MAX_PAUSE, clock);
        this.receivedAt = clock.instant();
    }

    /** Gives up a connection that has been silent for too long. Callers poll it. */
    public void breakSilence() {
        if (clock.instant().isAfter(receivedAt.plus(MAX_SILENCE))) {
            breakOff();
        }
    }

    private void run() {
        try {
            do {
                String why = listen();
                if (!over && closed.getCount() > 0) {
                    listener.accept(new StreamEvent.Lost(why));
                }
            } while (!over && !closed.await(backoff.failed().toMillis(), TimeUnit.MILLISECONDS));
        } catch (RequestRejectedException rejected) {
            listener.accept(new StreamEvent.Refused(rejected));
        } catch (RuntimeException mistake) {
            listener.accept(
                    new StreamEvent.Refused(new IOException("the events cannot be followed: " + mistake, mistake)));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the stream until it breaks off; returns why it did. */
    private String listen() throws RequestRejectedException, InterruptedException {
        try {
            HttpResponse<InputStream> answer = controller.events(path + "/events", last);
            try (InputStream stream = answer.body();
                    BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                receivedAt = clock.instant();
                open = stream;
                backoff.succeeded();
                listener.accept(new StreamEvent.Connected(clockAhead(answer)));
                read(lines);
                return "the controller ended the stream";
            } finally {
                open = null;
            }
        } catch (RequestRejectedException rejected) {
            throw rejected;
        } catch (IOException failure) {
            return String.valueOf(failure.getMessage());
        }
    }

    private void read(BufferedReader lines) throws IOException, InterruptedException {
        Map<String, String> fields = new HashMap<>();
        for (String line = lines.readLine(); line != null && !over; line = lines.readLine()) {
            receivedAt = clock.instant();
            if (!line.isEmpty()) {
                // Comments, which are fields without a name, and the time to reconnect are not looked at.
                String[] field = line.split(": ?", 2);
                fields.merge(field[0], field.length == 1 ? "" : field[1],
                        (before, more) -> field[0].equals("data") ? before + "\n" + more : more);
            } else if (fields.containsKey("data")) {
                handle(fields.getOrDefault("event", ""), fields.get("id"), fields.getOrDefault("data", ""));
                fields.clear();
            }
        }
    }

    private void handle(String name, @Nullable String id, String data) throws IOException, InterruptedException {
        switch (name) {
            case "end" -> {
                over = true;
                listener.accept(new StreamEvent.Ended(controller.read(data)));
            }
            case "error" -> listener.accept(new StreamEvent.Lost(controller.read(data).path("detail").asString("")));
            default -> {
                // The id is kept before the event is parsed. Otherwise an event that cannot be parsed would be requested again and again.
                last = id == null ? last : id;
                listener.accept(new StreamEvent.Decided(controller.read(data)));
                if (clock.instant().isAfter(snapshotAt.plus(SNAPSHOT))) {
                    snapshotAt = clock.instant();
                    snapshot();
                }
            }
        }
    }

    private void snapshot() throws RequestRejectedException, InterruptedException {
        try {
            listener.accept(new StreamEvent.Snapshot(controller.get(path)));
        } catch (RequestRejectedException rejected) {
            throw rejected;
        } catch (IOException failure) {
            // The events go on, and the next snapshot has everything that this one would have had.
        }
    }

    private Duration clockAhead(HttpResponse<?> answer) {
        return date(answer).map(date -> Duration.between(clock.instant(), date)).orElse(Duration.ZERO);
    }

    /** Returns when an answer was given, by the clock of the one who gave it; empty when the answer does not say so. */
    static Optional<Instant> date(HttpResponse<?> answer) {
        try {
            return answer.headers().firstValue("Date")
                    .map(date -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    private void breakOff() {
        InputStream stream = open;
        try {
            if (stream != null) {
                stream.close();
            }
        } catch (IOException ignored) {
            // It is gone, and that is what was wanted.
        }
    }

    @Override
    public void close() {
        closed.countDown();
        breakOff();
    }
}
