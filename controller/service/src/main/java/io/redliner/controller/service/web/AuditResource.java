// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.AuditRepository;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The audit log, for admins. */
@RestController
@RequestMapping("/api/v1/audit")
class AuditResource {

    private static final int MAX_ITEMS = 1000;

    private final AuditRepository audit;

    AuditResource(AuditRepository audit) {
        this.audit = audit;
    }

    @GetMapping
    Page<AuditRepository.Entry> list(@RequestParam(required = false) @Nullable String service,
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String since, @RequestParam(defaultValue = "100") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_ITEMS);
        return Page.of(audit.list(new AuditRepository.Filter(service, actor, RequestParameters.instant("since", since),
                pageToken == null ? null : PageToken.readId(pageToken), pageSize + 1)), pageSize, Function.identity(),
                entry -> PageToken.afterId(entry.id()));
    }
}
