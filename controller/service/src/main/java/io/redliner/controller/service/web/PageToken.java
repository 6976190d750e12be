// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.service.persistence.RunReadRepository;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where the next page of something that is listed newest first begins; opaque to clients. */
public final class PageToken {

    private PageToken() {}

    static String after(StoredRun last) {
        return after(last.submittedAt(), last.id());
    }

    /** Behind the last one of a page. */
    public static String after(Instant at, String id) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((at + " " + id).getBytes(StandardCharsets.UTF_8));
    }

    /** Behind the last one of a page that is ordered by name. */
    static String afterName(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /** The name to go on after; without a token, one that is before all. */
    static String readName(@Nullable String token) {
        if (token == null) {
            return "";
        }
        try {
            String name = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            ControlCharacterInterceptor.require("pageToken", name);
            return name;
        } catch (IllegalArgumentException malformed) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "pageToken is none that was given out")
                    .with("field", "pageToken");
        }
    }

    /**
     * The place that a token speaks of.
     *
     * @throws ProblemException when it is none
     */
    public static RunReadRepository.Position read(String token) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(" ", 2);
            ControlCharacterInterceptor.require("pageToken", parts[parts.length - 1]);
            Instant at = Instant.parse(parts[0]);
            if (!TimestampRange.include(at)) {
                throw new DateTimeException("nothing is of this time");
            }
            return new RunReadRepository.Position(at, parts[parts.length - 1]);
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "pageToken is none that was given out")
                    .with("field", "pageToken");
        }
    }
}
