// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.service.persistence.AuditRepository;
import io.redliner.controller.service.persistence.EmergencyQueries;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/** Writes requests into the audit log. */
final class AuditLog {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private static final int MAX_PATH = 500;

    private static final int REFUSALS_PER_MINUTE = 30;

    private static final int ALL_REFUSALS_PER_MINUTE = 300;

    private final AuditRepository repository;

    private final RateLimiter refusalLimiter;

    private final RateLimiter allRefusalsLimiter;

    private final Counter dropped;

    private final InstantSource clock;

    AuditLog(AuditRepository repository, MeterRegistry meters, InstantSource clock) {
        this.repository = repository;
        this.clock = clock;
        this.refusalLimiter = new RateLimiter(REFUSALS_PER_MINUTE);
        this.allRefusalsLimiter = new RateLimiter(ALL_REFUSALS_PER_MINUTE);
        this.dropped = Counter.builder("redliner.audit.dropped")
                .description("refused or aborting requests that are not in the audit log")
                .register(meters);
    }

    /**
     * Writes an entry before the request is carried out.
     *
     * @throws NestedRuntimeException when the entry cannot be written: then the request must not be carried out
     */
    long begin(HttpServletRequest request) {
        return repository.begin(entry(request));
    }

    /** Adds the outcome to the entry. The change cannot be undone any more, so a failure to write is only logged. */
    void end(long id, HttpServletRequest request, int status) {
        try {
            repository.end(id, outcome(request, status));
        } catch (NestedRuntimeException unreachable) {
            LOG.error("AUDIT the outcome of entry {} could not be written: {} by {} was answered {}", id,
                    describe(request), OwnershipPermissions.current().key(), status);
        }
    }

    /** Writes an entry and its outcome after a request that had to be carried out in any case. */
    void writeInBackground(HttpServletRequest request, int status) {
        // Read here: the request is over when this is written in the background.
        AuditRepository.AuditedRequest entry = entry(request);
        AuditRepository.Outcome outcome = outcome(request, status);
        try {
            EmergencyQueries.write(() -> {
                try {
                    repository.end(repository.begin(entry), outcome);
                } catch (NestedRuntimeException unreachable) {
                    logUnwritten(entry, outcome);
                }
            });
        } catch (NestedRuntimeException busy) {
            logUnwritten(entry, outcome);
        }
    }

    private void logUnwritten(AuditRepository.AuditedRequest entry, AuditRepository.Outcome outcome) {
        dropped.increment();
        LOG.error("AUDIT could not be written: {} {} by {} from {} was answered {}, reason: {}", entry.method(),
                entry.resource(), entry.caller().key(), entry.address(), outcome.status(), outcome.reason());
    }

    /**
     * Writes a change that was refused before it was tried. At a high rate only some are written, and the others are counted as
     * dropped.
     */
    void refused(HttpServletRequest request, int status) {
        if (!AuthorizationRules.changes(request)) {
            return;
        }
        if (refusalLimiter.take(ClientAddress.limited(request)).isPresent()
                || allRefusalsLimiter.take("all").isPresent()) {
            dropped.increment();
            return;
        }
        try {
            repository.end(repository.begin(entry(request)), outcome(request, status));
        } catch (NestedRuntimeException unreachable) {
            dropped.increment();
            LOG.warn("a refused request could not be written to the audit log: {} from {}", describe(request),
                    request.getRemoteAddr());
        }
    }

    private AuditRepository.AuditedRequest entry(HttpServletRequest request) {
        return new AuditRepository.AuditedRequest(clock.instant(), OwnershipPermissions.current(),
                request.getRemoteAddr(),
                request.getMethod(), path(request));
    }

    private AuditRepository.Outcome outcome(HttpServletRequest request, int status) {
        return new AuditRepository.Outcome(clock.instant(), status, AuditContext.serviceOf(request),
                AuditContext.runOf(request), AuditContext.reasonOf(request));
    }

    private static String describe(HttpServletRequest request) {
        return request.getMethod() + " " + path(request);
    }

    /** Returns the path without the query, which may hold secrets. */
    private static String path(HttpServletRequest request) {
        String path = String.valueOf(AuditContext.clean(request.getRequestURI()));
        return path.substring(0, Math.min(MAX_PATH, path.length()));
    }
}
