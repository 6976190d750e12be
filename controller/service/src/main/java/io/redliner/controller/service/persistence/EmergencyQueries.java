// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.QueryTimeoutException;

/**
 * Queries of requests that stop runs. They use the reserved connections, and all queries of one request together have 700 ms:
 * a database that hangs must not hold up an abort or the kill switch. Outside of such a request they are ordinary queries.
 */
public final class EmergencyQueries {

    private static final Logger LOG = LoggerFactory.getLogger(EmergencyQueries.class);

    private static final Duration LIMIT = Duration.ofMillis(700);

    private static final ThreadLocal<@Nullable Long> DEADLINE_NANOS = new ThreadLocal<>();

    /** Maximum number of queries that wait at the same time while the database hangs. */
    private static final int MAX_THREADS = 64;

    /** The threads of the queries. They are platform threads, because virtual threads wait while others compute. */
    private static final ExecutorService THREADS = new ThreadPoolExecutor(0, MAX_THREADS, 1, TimeUnit.MINUTES,
            new SynchronousQueue<>(), Thread.ofPlatform().daemon().name("emergency-query-", 0).factory());

    private EmergencyQueries() {}

    /** The end of a request that stops runs. */
    public interface Request extends AutoCloseable {

        @Override
        void close();
    }

    /** Marks the thread as serving a request that stops runs, from now until the result is closed. */
    public static Request begin() {
        DEADLINE_NANOS.set(System.nanoTime() + LIMIT.toNanos());
        return DEADLINE_NANOS::remove;
    }

    /**
     * Runs a query.
     *
     * @throws QueryTimeoutException when the request's time is over
     */
    public static <T> T run(Supplier<T> query) {
        Long deadline = DEADLINE_NANOS.get();
        if (deadline == null) {
            return query.get();
        }
        Future<T> result = submit(query);
        try {
            return result(result, deadline);
        } catch (TimeoutException late) {
            result.cancel(true);
            throw new QueryTimeoutException("the database did not answer within " + LIMIT.toMillis() + " ms", late);
        }
    }

    /** Writes something that is written in any case: in the background, when the request's time is over. */
    public static void write(Runnable query) {
        Long deadline = DEADLINE_NANOS.get();
        if (deadline == null) {
            query.run();
            return;
        }
        try {
            result(submit(() -> {
                query.run();
                return true;
            }), deadline);
        } catch (TimeoutException late) {
            LOG.debug("the request is over before all of it is written", late);
        }
    }

    private static <T> Future<T> submit(Supplier<T> query) {
        try {
            return THREADS.submit(() -> BulkheadDataSource.reserved(query));
        } catch (RejectedExecutionException busy) {
            throw new QueryTimeoutException(MAX_THREADS + " queries wait for the database already", busy);
        }
    }

    private static <T> T result(Future<T> result, long deadline) throws TimeoutException {
        try {
            return result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new QueryTimeoutException("the request was interrupted", interrupted);
        }
    }
}
