// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;

/** Tells requests of browsers for a page from those of programs: errors are pages for browsers and problems for programs. */
public final class HtmlRequestMatcher {

    private HtmlRequestMatcher() {}

    /** Returns true when a browser asks for a page. Requests to the API are none: its errors are problems for everybody. */
    public static boolean wantPage(HttpServletRequest request) {
        @Nullable
        String path = request.getRequestURI();
        // Tomcat knows no path when it cannot read the request line.
        return path != null && !path.startsWith("/api/") && !path.startsWith("/actuator/")
                && Collections.list(request.getHeaders(HttpHeaders.ACCEPT)).stream()
                        .anyMatch(HtmlRequestMatcher::namesHtml);
    }

    /** Returns true when HTML is accepted by its name: programs that accept anything do not want a page. */
    private static boolean namesHtml(String accept) {
        try {
            return MimeTypeUtils.parseMimeTypes(accept).stream().anyMatch(MediaType.TEXT_HTML::equalsTypeAndSubtype);
        } catch (InvalidMimeTypeException malformed) {
            return false;
        }
    }
}
