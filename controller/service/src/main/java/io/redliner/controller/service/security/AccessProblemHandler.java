// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers what this package refuses; before the API's handler, which would take it for a mistake. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class AccessProblemHandler {

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(SecurityProblemException refused) {
        ProblemDetail problem = refused.detail();
        return ResponseEntity.status(problem.getStatus()).body(problem);
    }
}
