// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * A database that has just not answered is left alone for a moment. Each question costs seconds until it fails, and with
 * many runs the driver would do nothing else; so one question at a time finds out whether the database is back, and what
 * else would be asked meanwhile fails at once. Safe for use by several threads.
 */
final class DatabaseCircuitBreaker {

    private static final Duration PAUSE = Duration.ofMillis(500);

    private volatile @Nullable Instant failedAt;

    /** Takes note of a failure; one that only concerns what was asked is no outage. */
    void failed(RuntimeException failure, Instant now) {
        boolean unreachable = failure instanceof TransactionException
                || failure instanceof DataAccessResourceFailureException
                || failure instanceof RecoverableDataAccessException
                || failure instanceof TransientDataAccessException;
        failedAt = unreachable ? now : null;
    }

    /** The database answered. */
    void over() {
        failedAt = null;
    }

    /** Whether it is too early to ask again; never for long, also when the clock was set back. */
    boolean isOpen(Instant now) {
        Instant last = failedAt;
        return last != null && Duration.between(last, now).abs().compareTo(PAUSE) < 0;
    }
}
