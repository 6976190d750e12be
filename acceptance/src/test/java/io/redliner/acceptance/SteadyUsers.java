// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Users who send at a constant pace whatever becomes of their requests, and count each that got no 200. */
final class SteadyUsers implements AutoCloseable {

    /** A machine that stands still is no failure of RedLiner's, and a request that hangs is found all the same. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(2);

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor)
            .connectTimeout(REQUEST_TIMEOUT).build();

    private final Supplier<HttpRequest> request;

    private final long gapNanos;

    private final AtomicLong succeeded = new AtomicLong();

    private final List<String> failures = new CopyOnWriteArrayList<>();

    private final Thread arrivals = Thread.ofPlatform().name("steady-users").daemon().unstarted(this::arrive);

    private volatile boolean running = true;

    SteadyUsers(URI target, int requestsPerSecond) {
        this(() -> HttpRequest.newBuilder(target), requestsPerSecond);
    }

    /** @param request makes the next one */
    SteadyUsers(Supplier<HttpRequest.Builder> request, int requestsPerSecond) {
        this.request = () -> request.get().timeout(REQUEST_TIMEOUT).build();
        this.gapNanos = 1_000_000_000L / requestsPerSecond;
    }

    void start() {
        arrivals.start();
    }

    private void arrive() {
        long next = System.nanoTime();
        while (running) {
            // After a standstill of the machine they do not come all at once.
            next = Math.max(next + gapNanos, System.nanoTime() - 100 * gapNanos);
            LockSupport.parkNanos(this, Math.max(0, next - System.nanoTime()));
            executor.execute(this::exchange);
        }
    }

    private void exchange() {
        try {
            int status = client.send(request.get(), BodyHandlers.discarding()).statusCode();
            if (status == 200) {
                succeeded.incrementAndGet();
            } else {
                fail("status " + status);
            }
        } catch (IOException refused) {
            fail(refused.toString());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(String reason) {
        if (running) {
            failures.add(Instant.now() + " " + reason);
        }
    }

    long succeeded() {
        return succeeded.get();
    }

    /** When and how requests failed. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        running = false;
        try {
            arrivals.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
        executor.shutdownNow();
    }
}
