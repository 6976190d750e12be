// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Answers with a problem what Tomcat refuses before anybody else sees it, an address with broken encoding for example. */
final class ProblemValve extends ErrorReportValve {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < HttpStatus.BAD_REQUEST.value() || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        ProblemType type = status < HttpStatus.INTERNAL_SERVER_ERROR.value()
                ? ProblemType.REQUEST_REFUSED
                : ProblemType.INTERNAL;
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", type.uri().toString());
        problem.put("title", type.title());
        problem.put("status", status);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        try {
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(JSON.writeValueAsString(problem));
                response.finishResponse();
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
