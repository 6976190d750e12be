// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlParser;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for a freeze.
 *
 * @param service absent: all services
 */
public record FreezeRequest(@Nullable String service, Instant from, Instant to, String reason) {

    /**
     * Returns the requested freeze.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static FreezeRequest read(String text) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader fields = NodeReader.of(YamlParser.read(text), errors);
        String service = fields.optionalIfAny("service", Plan::requireService);
        Instant from = fields.required("from", FreezeRequest::instant);
        Instant to = fields.required("to", FreezeRequest::instant);
        String reason = fields.required("reason", ReasonRequestReader::requireReason);
        fields.rejectOthers();
        if (from != null && to != null && !from.isBefore(to)) {
            errors.add(fields.object(), "from has to be before to");
        }
        errors.throwIfAny();
        if (from == null || to == null || reason == null) {
            throw new IllegalStateException("a missing field is a problem");
        }
        return new FreezeRequest(service, from, to, reason);
    }

    private static Instant instant(String text) {
        Instant instant;
        try {
            instant = OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("is no instant; write it as 2026-12-24T18:00:00Z", malformed);
        }
        if (!TimestampRange.include(instant)) {
            throw new IllegalArgumentException("is not " + TimestampRange.DESCRIPTION);
        }
        return instant;
    }
}
