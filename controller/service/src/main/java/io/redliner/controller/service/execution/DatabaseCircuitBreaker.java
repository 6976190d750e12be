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
 * A database that has just not answered is left alone, for longer the longer it is away. Each question costs seconds until it
 * fails, and with many runs the driver would do nothing else; so one question at a time finds out whether the database is
 * back, and what else would be asked meanwhile fails at once. Drivers and supervisor share it: the first answer that one of
 * them gets lets all of them ask. Safe for use by several threads.
 */
final class DatabaseCircuitBreaker {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(350);

    /** Runs that are live when the database comes back are to be stored soon. */
    private static final Duration MOST = Duration.ofSeconds(5);

    private final Backoff backoff;

    private volatile @Nullable Pause pause;

    DatabaseCircuitBreaker(InstantSource clock) {
        this.backoff = new Backoff(FIRST_PAUSE, MOST, clock);
    }

    private record Pause(Instant from, Duration length) {}

    /** Takes note of a failure; one that only concerns what was asked is no outage. */
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

    /** Whether it is too early to ask again; never for long, also when the clock was set back. */
    boolean isOpen(Instant now) {
        Pause last = pause;
        return last != null && Duration.between(last.from(), now).abs().compareTo(last.length()) < 0;
    }
}
