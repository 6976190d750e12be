// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The users of the demo: an open loop. Arrivals are a Poisson process that is scheduled by the clock alone; a slow answer
 * never delays the next request, as it would not delay the next user. Each request carries a user id and a language.
 */
public final class DemoTraffic implements AutoCloseable {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private static final int USERS = 100_000;

    /** The largest number of users that wait at the same time. Further requests fail at once, as on a network that is full. */
    private static final int MAX_WAITING = 4_000;

    private static final List<String> LANGUAGES = List.of("en", "de", "fr", "pt", "hi", "ja");

    private final URI target;

    private final double requestsPerSecond;

    private final int maxWaiting;

    private final SplittableRandom random;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    private final HttpClient client;

    private final Thread arrivals;

    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicLong sent = new AtomicLong();

    private final AtomicLong succeeded = new AtomicLong();

    private final AtomicLong failed = new AtomicLong();

    private volatile boolean running = true;

    /** Creates users that do not send yet, at a mean rate, to an address. The same seed gives the same users. */
    public DemoTraffic(URI target, double requestsPerSecond, long seed) {
        this(target, requestsPerSecond, seed, MAX_WAITING);
    }

    /**
     * Creates users with another limit of how many wait at the same time.
     *
     * @param maxWaiting each of them holds a connection
     */
    public DemoTraffic(URI target, double requestsPerSecond, long seed, int maxWaiting) {
        this.target = target;
        this.requestsPerSecond = requestsPerSecond;
        this.maxWaiting = maxWaiting;
        this.random = new SplittableRandom(seed);
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor)
                .connectTimeout(REQUEST_TIMEOUT).build();
        this.arrivals = Thread.ofPlatform().name("demo-traffic").daemon().unstarted(this::arrive);
    }

    /** Starts sending, until {@link #close()}. */
    public void start() {
        arrivals.start();
    }

    /** Requests sent so far. */
    public long sent() {
        return sent.get();
    }

    /** Requests that have no answer yet. */
    public int waiting() {
        return waiting.get();
    }

    /** Requests answered with a status below 500 so far. */
    public long succeeded() {
        return succeeded.get();
    }

    /**
     * Requests that failed so far: a status of 500 or above, no connection, no answer within ten seconds, or too many that wait
     * already.
     */
    public long failed() {
        return failed.get();
    }

    private void arrive() {
        long next = System.nanoTime();
        while (running) {
            next += (long) (random.nextExponential() / requestsPerSecond * 1e9);
            long wait = next - System.nanoTime();
            while (wait > 0) {
                LockSupport.parkNanos(this, wait);
                wait = next - System.nanoTime();
            }
            send();
        }
    }

    private void send() {
        HttpRequest request = HttpRequest.newBuilder(target).timeout(REQUEST_TIMEOUT)
                .header("x-user-id", Integer.toString(random.nextInt(USERS)))
                .header("accept-language", LANGUAGES.get(random.nextInt(LANGUAGES.size()))).build();
        sent.incrementAndGet();
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            failed.incrementAndGet();
            return;
        }
        executor.execute(() -> {
            exchange(request);
            waiting.decrementAndGet();
        });
    }

    private void exchange(HttpRequest request) {
        try {
            int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            (status < 500 ? succeeded : failed).incrementAndGet();
        } catch (IOException e) {
            failed.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        running = false;
        try {
            arrivals.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
        executor.shutdownNow();
    }
}
