// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.service.problem.ProblemType;
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
 * Bounds what slow clients can hold: a body has a time within which it has to arrive as a whole, and no more than so many
 * requests with a body are served at once. Requests that stop runs are always served.
 */
final class RequestBodyFilter extends OncePerRequestFilter {

    /** On a JDK before 24 a virtual thread that waits for a body holds a platform thread, of which there are at most 256. */
    private static final int AT_ONCE = 200;

    private final Semaphore free = new Semaphore(AT_ONCE);

    private final Duration timeout;

    private final SecurityProblemWriter refusals;

    RequestBodyFilter(Duration timeout, SecurityProblemWriter refusals) {
        this.timeout = timeout;
        this.refusals = refusals;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return request.getContentLengthLong() <= 0 && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Input input = new Input(request.getInputStream(), timeout);
        HttpServletRequest inTime = new HttpServletRequestWrapper(request) {

            @Override
            public ServletInputStream getInputStream() {
                return input;
            }
        };
        if (AuthorizationRules.stops(request)) {
            chain.doFilter(inTime, response);
        } else if (free.tryAcquire()) {
            try {
                chain.doFilter(inTime, response);
            } finally {
                free.release();
            }
        } else {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(timeout.toSeconds() + 1));
            refusals.answer(request, response, ProblemType.TOO_MANY_BODIES,
                    AT_ONCE + " requests with a body are being served");
        }
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
