// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Serves two requests with a body at a time: reading documents takes processor time, which an abort would lack. The others wait
 * their turn for a while. A body has the same time to arrive as a whole; one that has not arrived holds up nobody. Requests that
 * stop runs do not wait.
 */
final class CostlyRequestFilter extends OncePerRequestFilter {

    private static final int AT_ONCE = 2;

    private static final int MAX_WAITING = 100;

    private final Semaphore turns = new Semaphore(AT_ONCE, true);

    private final Semaphore waiting = new Semaphore(MAX_WAITING);

    private final Duration maxWait;

    private final SecurityProblemWriter problemWriter;

    CostlyRequestFilter(Duration maxWait, SecurityProblemWriter problemWriter) {
        this.maxWait = maxWait;
        this.problemWriter = problemWriter;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !RequestLimitFilter.hasBody(request) || AuthorizationRules.stops(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ArrivedBody body = ArrivedBody.of(request, maxWait);
        HttpServletRequest arrived = new HttpServletRequestWrapper(request) {

            @Override
            public ServletInputStream getInputStream() {
                return body;
            }
        };
        if (awaitPermit()) {
            try {
                chain.doFilter(arrived, response);
            } finally {
                turns.release();
            }
        } else {
            problemWriter.busy(request, response, maxWait, "other requests with a body are being worked on");
        }
    }

    private boolean awaitPermit() {
        if (!waiting.tryAcquire()) {
            return false;
        }
        try {
            return turns.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting.release();
        }
    }

    /** A body as it arrived, with the failure that ended it. */
    private static final class ArrivedBody extends ServletInputStream {

        private static final int BUFFER_LENGTH = 8 * 1024;

        private final ByteArrayInputStream bytes;

        private final @Nullable IOException failure;

        private ArrivedBody(byte[] bytes, @Nullable IOException failure) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.failure = failure;
        }

        static ArrivedBody of(HttpServletRequest request, Duration timeout) {
            try {
                return new ArrivedBody(read(request.getInputStream(), timeout), null);
            } catch (IOException incomplete) {
                return new ArrivedBody(new byte[0], incomplete);
            }
        }

        /** Reads one byte more than is served, so the resource finds a longer body too long. */
        private static byte[] read(InputStream body, Duration timeout) throws IOException {
            long begin = System.nanoTime();
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            byte[] buffer = new byte[BUFFER_LENGTH];
            int length = 0;
            while (length >= 0 && read.size() <= RequestBodyReader.MAX_LENGTH) {
                read.write(buffer, 0, length);
                length = body.read(buffer, 0, Math.min(BUFFER_LENGTH, RequestBodyReader.MAX_LENGTH + 1 - read.size()));
                if (length >= 0 && System.nanoTime() - begin > timeout.toNanos()) {
                    throw new BodyTimeoutException(timeout);
                }
            }
            return read.toByteArray();
        }

        @Override
        public int read() throws IOException {
            throwIfFailed();
            return bytes.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            throwIfFailed();
            return bytes.read(buffer, offset, length);
        }

        private void throwIfFailed() throws IOException {
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("requests are not asynchronous before they have a body");
        }
    }
}
