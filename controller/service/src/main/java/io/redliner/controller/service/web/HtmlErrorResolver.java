// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.security.HtmlRequestMatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Sends people to the error page, before the API's handler would make a problem of what went wrong. */
final class HtmlErrorResolver implements HandlerExceptionResolver, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(HtmlErrorResolver.class);

    /** The order before the resolvers that look for handlers. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
            @Nullable Object handler, Exception failure) {
        if (!HtmlRequestMatcher.wantPage(request) || response.isCommitted()) {
            return null;
        }
        int status = HttpStatus.INTERNAL_SERVER_ERROR.value();
        if (failure instanceof ErrorResponse known) {
            status = known.getStatusCode().value();
        } else {
            LOG.error("a page failed", failure);
        }
        try {
            response.sendError(status);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
        return new ModelAndView();
    }
}
