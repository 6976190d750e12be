// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Stops queries to a database that has just not answered, for longer the longer it is away. Each query takes seconds to fail,
 * and with many runs the workers would do nothing else. So one query at a time finds out whether the database is back, and
 * all others fail at once. Workers and supervisor share the breaker: the first answer to one of them lets all of them ask.
 * Safe for use by several threads.
 */
final class DatabaseCircuitBreaker {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(350);

    /** Short, so that live runs are stored soon after the database is back. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    private final Backoff backoff;

    private volatile @Nullable Pause pause;

    DatabaseCircuitBreaker(InstantSource clock) {
        this.backoff = new Backoff(FIRST_PAUSE, MAX_PAUSE, clock);
    }

    private record Pause(Instant from, Duration length) {}

    /** Takes a failed query. A failure that only concerns the query itself is no outage. */
    void failed(RuntimeException failure, Instant now) {
        boolean unreachable = failure instanceof TransactionException
                || failure instanceof DataAccessResourceFailureException
                || failure instanceof RecoverableDataAccessException
                || failure instanceof TransientDataAccessException;
        if (unreachable) {
            pause = new Pause(now, backoff.failed());
        } else {
            over();
        }
    }

    /** The database answered. */
    void over() {
        backoff.succeeded();
        pause = null;
    }

    /** Returns true while it is too early for another query. The pause stays short also when the clock was set back. */
    boolean isOpen(Instant now) {
        Pause last = pause;
        return last != null && Duration.between(last.from(), now).abs().compareTo(last.length()) < 0;
    }
}
