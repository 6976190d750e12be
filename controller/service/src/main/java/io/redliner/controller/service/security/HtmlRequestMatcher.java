// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;

/** Tells people who look for a page from programs: what goes wrong is a page for the ones, a problem for the others. */
public final class HtmlRequestMatcher {

    private HtmlRequestMatcher() {}

    /** Whether a browser asks for something to look at, and not of the API, whose answers are problems for everybody. */
    public static boolean wantPage(HttpServletRequest request) {
        @Nullable
        String path = request.getRequestURI();
        // Tomcat knows no path when it cannot read the request line.
        return path != null && !path.startsWith("/api/") && !path.startsWith("/actuator/")
                && Collections.list(request.getHeaders(HttpHeaders.ACCEPT)).stream()
                        .anyMatch(HtmlRequestMatcher::namesHtml);
    }

    /** By its name: programs that take anything do not want a page. */
    private static boolean namesHtml(String accept) {
        try {
            return MimeTypeUtils.parseMimeTypes(accept).stream().anyMatch(MediaType.TEXT_HTML::equalsTypeAndSubtype);
        } catch (InvalidMimeTypeException malformed) {
            return false;
        }
    }
}
