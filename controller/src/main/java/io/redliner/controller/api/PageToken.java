// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.jdbc.StoredRun;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/** Where the next page of runs begins; opaque to clients. */
final class PageToken {

    private PageToken() {}

    static String after(StoredRun last) {
        return after(last.submittedAt(), last.id());
    }

    static String after(Instant at, String id) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((at + " " + id).getBytes(StandardCharsets.UTF_8));
    }

    static RunQueries.Position read(String token) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(" ", 2);
            TextGuard.require("pageToken", parts[parts.length - 1]);
            return new RunQueries.Position(Instant.parse(parts[0]), parts[parts.length - 1]);
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "pageToken is none that was given out")
                    .with("field", "pageToken");
        }
    }
}
