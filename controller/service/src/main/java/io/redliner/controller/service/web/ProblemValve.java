// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.HtmlRequestMatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/** Answers with a problem when Tomcat itself rejects a request, such as one with a wrongly encoded address. */
final class ProblemValve extends ErrorReportValve {

    /** Answers a request that is refused already: behind this valve, Spring Boot would answer it in its own way. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (response.isErrorReportRequired()
                && (request.getContext() == null || !HtmlRequestMatcher.wantPage(request))) {
            response.setSuspended(false);
            report(request, response, null);
        } else {
            super.invoke(request, response);
        }
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < HttpStatus.BAD_REQUEST.value() || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        write(response, status, detail(request, status));
    }

    /** Answers with a problem. */
    static void write(Response response, int status, String detail) {
        ProblemType type = ofRequest(status) ? ProblemType.REQUEST_REFUSED : ProblemType.INTERNAL;
        ProblemDetail problem = type.problem(detail, Map.of());
        problem.setStatus(status);
        response.setStatus(status);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        try {
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(ProblemType.json(problem));
                response.finishResponse();
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static String detail(Request request, int status) {
        return switch (status) {
            case HttpServletResponse.SC_METHOD_NOT_ALLOWED -> "the method " + request.getMethod() + " is not served";
            case HttpServletResponse.SC_REQUEST_TIMEOUT -> "the request did not arrive in time";
            case HttpServletResponse.SC_LENGTH_REQUIRED, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE ->
                "the length of the body is missing or too great";
            case HttpServletResponse.SC_EXPECTATION_FAILED -> "the header Expect may only say 100-continue";
            case HttpServletResponse.SC_NOT_IMPLEMENTED ->
                "the method or the Transfer-Encoding is not served; of the latter only chunked is";
            case HttpServletResponse.SC_HTTP_VERSION_NOT_SUPPORTED ->
                "this version of HTTP is not served; use HTTP/1.1";
            default -> ofRequest(status)
                    ? "the address, the method or a header is malformed or too long"
                    : "see the controller's log";
        };
    }

    /** Returns whether the client can mend it. */
    private static boolean ofRequest(int status) {
        return status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR || status == HttpServletResponse.SC_NOT_IMPLEMENTED
                || status == HttpServletResponse.SC_HTTP_VERSION_NOT_SUPPORTED;
    }
}
