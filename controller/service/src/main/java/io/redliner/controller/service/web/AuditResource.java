// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.service.persistence.AuditRepository;
import io.redliner.controller.service.security.SecurityProblemException;
import io.redliner.controller.service.security.SecurityProblemType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The audit log, for admins. */
@RestController
@RequestMapping("/api/v1/audit")
class AuditResource {

    private static final int MOST = 1000;

    private final AuditRepository audit;

    AuditResource(AuditRepository audit) {
        this.audit = audit;
    }

    /** One page of the log, newest first. */
    record AuditPage(List<AuditRepository.Entry> items, @Nullable String nextPageToken) {}

    @GetMapping
    AuditPage list(@RequestParam(required = false) @Nullable String service,
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String since, @RequestParam(defaultValue = "100") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        if (limit < 1 || limit > MOST) {
            throw invalid("limit", "is between 1 and " + MOST);
        }
        List<AuditRepository.Entry> found = audit
                .list(new AuditRepository.Filter(service, actor, since(since), before(pageToken), limit + 1));
        List<AuditRepository.Entry> page = found.subList(0, Math.min(limit, found.size()));
        return new AuditPage(page,
                found.size() > limit ? Long.toString(page.getLast().id(), Character.MAX_RADIX) : null);
    }

    private static @Nullable Instant since(@Nullable String since) {
        try {
            Instant instant = since == null ? null : Instant.parse(since);
            if (instant != null && !TimestampRange.include(instant)) {
                throw invalid("since", "is " + TimestampRange.WORDS);
            }
            return instant;
        } catch (DateTimeException malformed) {
            throw invalid("since", "is an instant as 2026-01-31T09:00:00Z");
        }
    }

    private static @Nullable Long before(@Nullable String pageToken) {
        try {
            return pageToken == null ? null : Long.parseLong(pageToken, Character.MAX_RADIX);
        } catch (NumberFormatException malformed) {
            throw invalid("pageToken", "is none that was given out");
        }
    }

    private static SecurityProblemException invalid(String field, String message) {
        return new SecurityProblemException(SecurityProblemType.INVALID_PARAMETER, field + " " + message).with("field",
                field);
    }
}
