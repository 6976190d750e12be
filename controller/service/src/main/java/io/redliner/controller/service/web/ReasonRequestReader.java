// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.contract.text.PlainText;
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
     * @throws InvalidDocumentException with all mistakes
     */
    public static String read(InputStream body) throws InvalidDocumentException {
        return NodeReader.read(YamlParser.read(RequestBodyReader.read(body, MAX_BODY_LENGTH)),
                fields -> fields.required("reason", ReasonRequestReader::requireReason));
    }

    /**
     * Returns the reason of a request that stops runs, which may leave it out. A body that does not arrive in time is not waited for: to
     * stop is safe.
     *
     * @param otherwise the reason when the body has none
     * @throws InvalidDocumentException with all mistakes
     */
    public static String readOfStop(HttpServletRequest request, String otherwise) throws InvalidDocumentException {
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

    private static String optional(InputStream body, String otherwise) throws InvalidDocumentException {
        String text = RequestBodyReader.read(body, MAX_BODY_LENGTH);
        return text.isBlank()
                ? otherwise
                : NodeReader.read(YamlParser.read(text),
                        fields -> fields.optional("reason", ReasonRequestReader::requireReason, otherwise));
    }

    /**
     * Validates a reason that is not in a document.
     *
     * @param field the field that contains it
     * @throws InvalidDocumentException when it is not a valid reason
     */
    public static String require(String field, String reason) throws InvalidDocumentException {
        try {
            return requireReason(reason);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidDocumentException(
                    List.of(DocumentProblem.at(field, 1, 1, String.valueOf(invalid.getMessage()))));
        }
    }

    static String requireReason(String reason) {
        if (reason.isBlank() || reason.length() > MAX_REASON_LENGTH) {
            throw new IllegalArgumentException("is no reason; use 1 to " + MAX_REASON_LENGTH + " characters");
        }
        return PlainText.requireLine(reason.strip());
    }
}
