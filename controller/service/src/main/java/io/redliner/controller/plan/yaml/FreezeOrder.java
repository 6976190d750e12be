// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Years;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A freeze that is asked for.
 *
 * @param service absent: all services
 */
public record FreezeOrder(@Nullable String service, Instant from, Instant to, String reason) {

    /**
     * The freeze that is asked for.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static FreezeOrder read(String text) throws InvalidPlanException {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(LocatedReader.read(text), problems);
        String service = fields.optionalIfAny("service", Plan::requireService);
        Instant from = fields.required("from", FreezeOrder::instant);
        Instant to = fields.required("to", FreezeOrder::instant);
        String reason = fields.required("reason", ReasonReader::requireReason);
        fields.rejectOthers();
        if (from != null && to != null && !from.isBefore(to)) {
            problems.add(fields.object(), "from has to be before to");
        }
        problems.throwIfAny();
        if (from == null || to == null || reason == null) {
            throw new IllegalStateException("a missing field is a problem");
        }
        return new FreezeOrder(service, from, to, reason);
    }

    private static Instant instant(String text) {
        Instant instant;
        try {
            instant = OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("is no instant; write it as 2026-12-24T18:00:00Z", malformed);
        }
        if (!Years.include(instant)) {
            throw new IllegalArgumentException("is not " + Years.WORDS);
        }
        return instant;
    }
}
