// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.contract.text.PlainText;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.UriUtils;

/**
 * Details of the present request for the audit log, besides caller, time and address. Outside of a request nothing is noted.
 * A resource with a {@code {service}} in its path need not note the service, and one of a run need not note the run.
 */
public final class AuditContext {

    private static final String PREFIX = AuditContext.class.getName() + ".";

    private static final String ENCODED = "UTF-8''";

    private static final int MAX_LENGTH = 500;

    private AuditContext() {}

    /** Notes the service that the request is about; the first one counts. */
    public static void service(String service) {
        note("service", service);
    }

    /** Notes the run that the request is about. */
    public static void run(String id) {
        note("run", id);
    }

    /** The reason, as the caller wrote it. */
    public static void reason(String reason) {
        note("reason", reason);
    }

    private static void note(String name, String text) {
        RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
        if (attributes != null && attributes.getAttribute(PREFIX + name, RequestAttributes.SCOPE_REQUEST) == null) {
            attributes.setAttribute(PREFIX + name, text, RequestAttributes.SCOPE_REQUEST);
        }
    }

    static @Nullable String serviceOf(HttpServletRequest request) {
        String noted = noted(request, "service");
        return noted != null ? noted : variable(request, "service");
    }

    static @Nullable String runOf(HttpServletRequest request) {
        String noted = noted(request, "run");
        boolean ofRuns = request.getRequestURI().startsWith("/api/v1/runs/");
        return noted != null || !ofRuns ? noted : variable(request, "id");
    }

    static @Nullable String reasonOf(HttpServletRequest request) {
        String noted = noted(request, "reason");
        return clean(noted != null ? noted : decoded(request.getHeader("X-Reason")));
    }

    /** Returns the reason in a header. A header holds Latin-1 only; what does not fit comes as RFC 8187 writes it. */
    private static @Nullable String decoded(@Nullable String header) {
        if (header == null || !header.startsWith(ENCODED)) {
            return header;
        }
        try {
            return UriUtils.decode(header.substring(ENCODED.length()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return header;
        }
    }

    private static @Nullable String noted(HttpServletRequest request, String name) {
        return request.getAttribute(PREFIX + name) instanceof String text ? clean(text) : null;
    }

    private static @Nullable String variable(HttpServletRequest request, String name) {
        return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
                && variables.get(name) instanceof String text ? clean(text) : null;
    }

    /** Returns the text as the database can hold it: visible characters, and at most 500. */
    static @Nullable String clean(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String visible = PlainText.shown(text.replaceAll("\\p{Cntrl}", " ")).strip();
        return visible.substring(0, Math.min(MAX_LENGTH, visible.length()));
    }
}
