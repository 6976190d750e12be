// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Viewers that follow live runs, each by a stream of events of its own; one that ends is opened again, as browsers do. */
final class Streams implements AutoCloseable {

    private static final Duration AGAIN = Duration.ofSeconds(3);

    private static final int OK = 200;

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String base;

    private final LongAdder events = new LongAdder();

    private final AtomicInteger open = new AtomicInteger();

    private final AtomicInteger ended = new AtomicInteger();

    private final AtomicInteger refused = new AtomicInteger();

    /** @param base where the API is, without a path */
    Streams(String base) {
        this.base = base;
    }

    /** Opens so many streams of these runs, taken in turn; none without runs. */
    void open(List<String> runs, int count) {
        for (int number = 0; number < count && !runs.isEmpty(); number++) {
            follow(URI.create(base + "/api/v1/runs/" + runs.get(number % runs.size()) + "/events"));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What does not come about is missed among those that are open.
    private void follow(URI address) {
        http.sendAsync(HttpRequest.newBuilder(address).build(), answer -> {
            if (answer.statusCode() != OK) {
                refused.incrementAndGet();
            }
            return BodyHandlers.fromLineSubscriber(new Viewer(address)).apply(answer);
        });
    }

    /** Reads whatever comes. */
    private final class Viewer implements Flow.Subscriber<String> {

        private final URI address;

        private Viewer(URI address) {
            this.address = address;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            open.incrementAndGet();
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (line.startsWith("id:")) {
                events.increment();
            }
        }

        @Override
        public void onError(Throwable failure) {
            onComplete();
        }

        @Override
        public void onComplete() {
            open.decrementAndGet();
            ended.incrementAndGet();
            CompletableFuture.delayedExecutor(AGAIN.toMillis(), TimeUnit.MILLISECONDS).execute(() -> follow(address));
        }
    }

    /** How many are open now. */
    int open() {
        return open.get();
    }

    /** How many are open, how often one was refused or ended later, and what came. */
    String described() {
        return String.format(Locale.ROOT, "%d streams are open, %d were refused at first, %d ended; %d events came",
                open.get(), refused.get(), ended.get() - refused.get(), events.sum());
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
