// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.core.safety.Freeze;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.service.persistence.SafetyRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.AuditContext;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Times in which no traffic is moved. */
@RestController
@RequestMapping("/api/v1/freezes")
class FreezeResource {

    private final SafetyRepository safety;

    private final Permissions permissions;

    private final InstantSource clock;

    FreezeResource(SafetyRepository safety, Permissions permissions, InstantSource clock) {
        this.permissions = permissions;
        this.safety = safety;
        this.clock = clock;
    }

    @GetMapping
    Page<Freeze> list() {
        return Page.whole(safety.freezes(clock.instant()));
    }

    @PostMapping
    ResponseEntity<Freeze> add(InputStream input) throws InvalidDocumentException {
        FreezeRequest request = FreezeRequest.read(RequestBodyReader.read(input));
        AuditContext.reason(request.reason());
        requireOperator(request.service());
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        if (!request.to().isAfter(now)) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "to is in the past").with("field", "$.to");
        }
        Freeze freeze = new Freeze(UUID.randomUUID().toString(), request.service(), request.from(), request.to(),
                request.reason(), permissions.caller().name(), now);
        safety.add(freeze);
        return ResponseEntity.created(URI.create("/api/v1/freezes/" + freeze.id())).body(freeze);
    }

    @GetMapping("/{id}")
    Freeze freeze(@PathVariable String id) {
        return safety.freeze(id).orElseThrow(() -> notFound(id));
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> remove(@PathVariable String id) {
        requireOperator(freeze(id).service());
        if (!safety.remove(id)) {
            throw notFound(id);
        }
        return ResponseEntity.noContent().build();
    }

    /** A freeze of all services aborts the runs of all teams. */
    private void requireOperator(@Nullable String service) {
        if (service == null) {
            permissions.requireAdmin("a freeze of all services takes the role admin; name a service of your team");
        } else {
            permissions.requireOperator(service);
        }
    }

    private static ProblemException notFound(String id) {
        return new ProblemException(ProblemType.NOT_FOUND, "there is no freeze " + id);
    }

    /**
     * The body of a request for a freeze.
     *
     * @param service absent: all services
     */
    private record FreezeRequest(@Nullable String service, Instant from, Instant to, String reason) {

        /**
         * Returns the requested freeze.
         *
         * @throws InvalidDocumentException with all mistakes
         */
        static FreezeRequest read(String text) throws InvalidDocumentException {
            return NodeReader.read(YamlParser.read(text), fields -> {
                String service = fields.optional("service", Plan::requireService);
                Instant from = fields.required("from", TimestampRange::parse);
                Instant to = fields.required("to", TimestampRange::parse);
                String reason = fields.required("reason", ReasonRequestReader::requireReason);
                if (from != null && to != null && !from.isBefore(to)) {
                    fields.mistake("from has to be before to");
                }
                return fields.make(() -> new FreezeRequest(service, requireNonNull(from), requireNonNull(to),
                        requireNonNull(reason)));
            });
        }
    }
}
