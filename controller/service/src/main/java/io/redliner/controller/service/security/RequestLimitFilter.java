// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Bounds what slow clients and a slow database can hold: no more than so many requests are served at once, and a body has a
 * time within which it has to arrive as a whole. Requests that stop runs are always served and have a {@link StopBody}; health
 * has places of its own.
 */
final class RequestLimitFilter extends OncePerRequestFilter {

    /** Fewer than the main port has threads. */
    private static final int AT_ONCE = 200;

    private static final int OPERATIONS_AT_ONCE = 16;

    private static final String OPERATIONS = "/actuator/";

    private final Semaphore free = new Semaphore(AT_ONCE);

    private final Semaphore freeForOperations = new Semaphore(OPERATIONS_AT_ONCE);

    private final Duration timeout;

    private final SecurityProblemWriter problemWriter;

    RequestLimitFilter(Duration timeout, SecurityProblemWriter problemWriter) {
        this.timeout = timeout;
        this.problemWriter = problemWriter;
    }

    /** Returns whether a body may follow the headers. */
    static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (AuthorizationRules.stops(request)) {
            chain.doFilter(request, response);
            return;
        }
        HttpServletRequest inTime = hasBody(request) ? inTime(request) : request;
        Semaphore places = request.getRequestURI().startsWith(OPERATIONS) ? freeForOperations : free;
        if (places.tryAcquire()) {
            try {
                chain.doFilter(inTime, response);
            } finally {
                places.release();
            }
        } else {
            problemWriter.busy(request, response, timeout, "as many requests as possible are being served");
        }
    }

    private HttpServletRequest inTime(HttpServletRequest request) throws IOException {
        Input input = new Input(request.getInputStream(), timeout);
        return new HttpServletRequestWrapper(request) {

            @Override
            public ServletInputStream getInputStream() {
                return input;
            }
        };
    }

    private static final class Input extends ServletInputStream {

        private final ServletInputStream body;

        private final Duration timeout;

        private final long beginNanos = System.nanoTime();

        Input(ServletInputStream body, Duration timeout) {
            this.body = body;
            this.timeout = timeout;
        }

        @Override
        public int read() throws IOException {
            return inTime(body.read());
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            return inTime(body.read(buffer, offset, length));
        }

        private int inTime(int read) throws BodyTimeoutException {
            if (read >= 0 && System.nanoTime() - beginNanos > timeout.toNanos()) {
                throw new BodyTimeoutException(timeout);
            }
            return read;
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
