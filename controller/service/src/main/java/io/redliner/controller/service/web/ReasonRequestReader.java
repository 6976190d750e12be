// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.PlainText;
import io.redliner.controller.plan.PlanProblem;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlParser;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.RequestBodyReader;
import io.redliner.controller.service.security.StopBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request that needs a reason: an object whose only field is {@code reason}. */
public final class ReasonRequestReader {

    private static final int MAX_REASON_LENGTH = 500;

    /** Bytes of a body at most: an abort must not take long to read. */
    private static final int MAX_BODY_LENGTH = 16 * 1024;

    /** The reason of a stop whose body did not arrive. */
    static final String NO_REASON = "no reason arrived in time";

    private ReasonRequestReader() {}

    /**
     * Returns the reason.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static String read(InputStream body) throws InvalidPlanException {
        return parse(RequestBodyReader.read(body, MAX_BODY_LENGTH));
    }

    /**
     * Returns the reason of a request that stops runs, which may leave it out. A body that does not arrive in time is not waited for: to
     * stop is safe.
     *
     * @param otherwise the reason when the body has none
     * @throws InvalidPlanException with all mistakes
     */
    public static String readOfStop(HttpServletRequest request, String otherwise) throws InvalidPlanException {
        Optional<StopBody> body = StopBody.of(request);
        try {
            if (body.isEmpty()) {
                return optional(request.getInputStream(), otherwise);
            }
            Optional<byte[]> arrived = body.get().read(MAX_BODY_LENGTH);
            return arrived.isPresent() ? optional(new ByteArrayInputStream(arrived.get()), otherwise) : NO_REASON;
        } catch (IOException malformed) {
            throw new ProblemException(ProblemType.REQUEST_REFUSED, "the body could not be read");
        }
    }

    private static String parse(String text) throws InvalidPlanException {
        String reason = parse(text, true);
        if (reason == null) {
            throw new IllegalStateException("a missing reason is a problem");
        }
        return reason;
    }

    private static String optional(InputStream body, String otherwise) throws InvalidPlanException {
        String text = RequestBodyReader.read(body, MAX_BODY_LENGTH);
        String reason = text.isBlank() ? null : parse(text, false);
        return reason == null ? otherwise : reason;
    }

    private static @Nullable String parse(String text, boolean required) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader fields = NodeReader.of(YamlParser.read(text), errors);
        String reason = required
                ? fields.required("reason", ReasonRequestReader::requireReason)
                : fields.optionalIfAny("reason", ReasonRequestReader::requireReason);
        fields.rejectOthers();
        errors.throwIfAny();
        return reason;
    }

    /**
     * Validates a reason that is not in a document.
     *
     * @param field the field that contains it
     * @throws InvalidPlanException when it is not a valid reason
     */
    public static String require(String field, String reason) throws InvalidPlanException {
        try {
            return requireReason(reason);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidPlanException(List.of(PlanProblem.at(field, 1, 1, String.valueOf(invalid.getMessage()))));
        }
    }

    static String requireReason(String reason) {
        if (reason.isBlank() || reason.length() > MAX_REASON_LENGTH) {
            throw new IllegalArgumentException("is no reason; use 1 to " + MAX_REASON_LENGTH + " characters");
        }
        return PlainText.requireLine(reason.strip());
    }
}
