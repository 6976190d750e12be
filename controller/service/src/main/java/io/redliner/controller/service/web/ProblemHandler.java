// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.schedule.CalendarLookup.UnknownCalendarException;
import io.redliner.controller.service.persistence.PlanChangedException;
import io.redliner.controller.service.persistence.PlanOwnedException;
import io.redliner.controller.service.persistence.UnreadableRowException;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.DeploymentConflictException;
import io.redliner.controller.service.scheduling.InvalidCalendarException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Every error as RFC 9457 problem; no stack trace and no class name leaves the process. */
@RestControllerAdvice
class ProblemHandler extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> known(ProblemException failure) {
        return answer(failure.problem());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalid(InvalidDocumentException invalid) {
        DocumentProblem first = invalid.problems().getFirst();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("field", first.path());
        members.put("line", first.line());
        members.put("column", first.column());
        members.put("errors", views(invalid.problems()));
        return answer(
                ProblemType.INVALID_DOCUMENT.problem(String.valueOf(invalid.getMessage()), members));
    }

    static List<Map<String, Object>> views(List<DocumentProblem> problems) {
        return problems.stream().map(problem -> {
            Map<String, Object> view = new LinkedHashMap<>();
            view.put("field", problem.path());
            view.put("line", problem.line());
            view.put("column", problem.column());
            view.put("message", problem.message());
            if (problem.rule() != null) {
                view.put("rule", problem.rule());
            }
            if (problem.expressionLine() != null) {
                view.put("expressionLine", problem.expressionLine());
            }
            if (problem.expressionColumn() != null) {
                view.put("expressionColumn", problem.expressionColumn());
            }
            return view;
        }).toList();
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> changed(PlanChangedException changed) {
        return answer(ProblemType.PLAN_CHANGED.problem(String.valueOf(changed.getMessage()),
                Map.of("field", HttpHeaders.IF_MATCH)));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreadable(UnreadableRowException unreadable) {
        String detail = String.valueOf(unreadable.getMessage());
        return answer(unreadable.kind() == UnreadableRows.Kind.RUN
                ? ProblemType.RUN_UNREADABLE.problem(detail, Map.of("runId", unreadable.name()))
                : ProblemType.STORED_UNREADABLE.problem(detail, Map.of()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> owned(PlanOwnedException owned) {
        return answer(ProblemType.OWNED_BY_FOLDER.problem(String.valueOf(owned.getMessage()),
                Map.of("plan", owned.plan())));
    }

    /** It was there when the plan was checked. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> calendar(UnknownCalendarException unknown) {
        return answer(ProblemType.INVALID_DOCUMENT.problem(String.valueOf(unknown.getMessage()),
                Map.of("field", "$.spec.schedule.except")));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> calendar(InvalidCalendarException invalid) {
        return answer(ProblemType.INVALID_CALENDAR.problem(String.valueOf(invalid.getMessage()), Map.of()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> deployment(DeploymentConflictException conflict) {
        return answer(ProblemType.DEPLOYMENT_CONFLICT.problem(String.valueOf(conflict.getMessage()),
                Map.of("field", "$.id", "deployment", "/api/v1/events/deployments/" + conflict.id())));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> rejected(RunRejectedException rejected) {
        Map<String, Object> members = new LinkedHashMap<>(rejected.details());
        if (rejected.reason() == RejectionReason.SERVICE_BUSY) {
            members.put("run", "/api/v1/runs/" + members.get("runId"));
        }
        return answer(ProblemType.problem(rejected.reason(), String.valueOf(rejected.getMessage()), members));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> mismatch(MethodArgumentTypeMismatchException mismatch) {
        return answer(ProblemType.INVALID_PARAMETER.problem("parameter " + mismatch.getName() + " cannot be understood",
                Map.of("field", mismatch.getName())));
    }

    /** Tomcat's, when a parameter is read first. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> query(InvalidParameterException malformed) {
        return answer(ProblemType.INVALID_PARAMETER.problem("the parameters are not encoded well: a percent sign is"
                + " written %25, as in 50%25; a ratio may be written 0.5 instead", Map.of()));
    }

    @ExceptionHandler({DataAccessException.class, TransactionException.class})
    ResponseEntity<ProblemDetail> database(NestedRuntimeException failure, HttpServletResponse response) {
        LOG.error("a request failed at the database", failure);
        requireNothingSent(response, failure);
        return answer(ProblemType.DATABASE_UNAVAILABLE.problem("try again later", Map.of()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> mistake(Throwable mistake, HttpServletResponse response) {
        LOG.error("a request failed", mistake);
        requireNothingSent(response, mistake);
        return answer(ProblemType.INTERNAL.problem("see the controller's log", Map.of()));
    }

    /** Half an answer must not end like a whole one, and no problem fits behind it: the connection is broken off. */
    private static void requireNothingSent(HttpServletResponse response, Throwable failure) {
        if (response.isCommitted()) {
            throw new IllegalStateException("the answer broke off", failure);
        }
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(Exception failure, @Nullable Object body,
            HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail(failure, request));
        problem.setType(status.value() == 404 ? ProblemType.NOT_FOUND.uri() : ProblemType.REQUEST_REFUSED.uri());
        problem.setTitle(status.value() == 404 ? ProblemType.NOT_FOUND.title() : ProblemType.REQUEST_REFUSED.title());
        return super.handleExceptionInternal(failure, problem, headers, status, request);
    }

    private static String detail(Exception failure, WebRequest request) {
        return switch (failure) {
            case NoResourceFoundException missing -> "there is nothing at /" + missing.getResourcePath();
            case HttpRequestMethodNotSupportedException method -> "the method " + method.getMethod()
                    + " is not served at this address, but " + String.join(", ", methods(method));
            case HttpMediaTypeNotAcceptableException type -> "the Accept header asks for what there is not; there is "
                    + MediaType.toString(type.getSupportedMediaTypes());
            case ErrorResponse known when known.getBody().getDetail() != null -> known.getBody().getDetail();
            default -> "the request cannot be served: " + request.getDescription(false);
        };
    }

    /** Spring names those that a resource declares; HEAD and OPTIONS it serves by itself. */
    private static SortedSet<String> methods(HttpRequestMethodNotSupportedException refused) {
        String[] declared = refused.getSupportedMethods();
        SortedSet<String> methods = new TreeSet<>(List.of(declared == null ? new String[0] : declared));
        methods.add(HttpMethod.OPTIONS.name());
        if (methods.contains(HttpMethod.GET.name())) {
            methods.add(HttpMethod.HEAD.name());
        }
        return methods;
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpRequestMethodNotSupported(
            HttpRequestMethodNotSupportedException failure, HttpHeaders headers, HttpStatusCode status,
            WebRequest request) {
        HttpHeaders all = new HttpHeaders();
        all.set(HttpHeaders.ALLOW, String.join(", ", methods(failure)));
        return handleExceptionInternal(failure, null, all, status, request);
    }

    private static ResponseEntity<ProblemDetail> answer(ProblemDetail problem) {
        return ResponseEntity.status(problem.getStatus()).body(problem);
    }
}
