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
 * Stops queries to a database that has just not answered, with a growing pause. Each query takes seconds to fail, and with many
 * runs the workers would do nothing else. So one query at a time probes the database, and all others fail at once. Workers and
 * supervisor share the breaker, so the first answer closes it for all of them. Safe for use by several threads.
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

    /** Notes a failed query. A failure of the query itself, such as a constraint, is no outage and closes the breaker. */
    void failed(RuntimeException failure, Instant now) {
        boolean unreachable = failure instanceof TransactionException
                || failure instanceof DataAccessResourceFailureException
                || failure instanceof RecoverableDataAccessException
                || failure instanceof TransientDataAccessException;
        if (unreachable) {
            pause = new Pause(now, backoff.failed());
        } else {
            succeeded();
        }
    }

    /** Notes an answer of the database, which closes the breaker. */
    void succeeded() {
        backoff.succeeded();
        pause = null;
    }

    /** Returns true while it is too early for another query. A clock that was set back does not make the pause longer. */
    boolean isOpen(Instant now) {
        Pause last = pause;
        return last != null && Duration.between(last.from(), now).abs().compareTo(last.length()) < 0;
    }
}
