// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.security.AuthorizationRules;
import io.redliner.controller.service.security.StopBody;
import jakarta.servlet.ServletException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpHeaders;

/**
 * Reads the bodies of requests that stop runs, after they are authorized. A body has {@link #TIMEOUT} to arrive, and at most
 * {@value #AT_ONCE} requests wait for theirs at a time. A request whose body does not arrive stops the run without it.
 */
final class StopBodyValve extends ValveBase {

    static final Duration TIMEOUT = Duration.ofMillis(500);

    /** Maximum number of bodies that are waited for: fewer than the threads of the emergency port. */
    static final int AT_ONCE = 24;

    private static final long POLL_INTERVAL_NANOS = 2_000_000;

    private final Semaphore waiting = new Semaphore(AT_ONCE);

    StopBodyValve() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (AuthorizationRules.stops(request)) {
            RawBody body = new RawBody(request.getCoyoteRequest());
            boolean chunked = request.getContentLengthLong() < 0;
            StopBody stopBody = maxLength -> {
                Optional<byte[]> read = read(body, chunked, maxLength);
                if (read.isEmpty()) {
                    response.setHeader(HttpHeaders.CONNECTION, "close");
                }
                return read;
            };
            request.setAttribute(StopBody.ATTRIBUTE, stopBody);
        }
        getNext().invoke(request, response);
    }

    /**
     * Reads a body; empty when it does not arrive in time. An incomplete chunk header blocks its reader, so chunked bodies are read
     * only with a permit.
     */
    private Optional<byte[]> read(RawBody body, boolean chunked, int maxLength) throws IOException {
        boolean place = false;
        long begin = System.nanoTime();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            body.requestRest();
            while (!body.finished() && read.size() <= maxLength) {
                boolean available = body.available() > 0;
                if ((!available || chunked) && !place) {
                    place = waiting.tryAcquire();
                    if (!place) {
                        return Optional.empty();
                    }
                }
                if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
                    return Optional.empty();
                }
                if (!available) {
                    LockSupport.parkNanos(POLL_INTERVAL_NANOS);
                } else if (!body.readInto(read)) {
                    break;
                }
            }
            return body.finished() || read.size() > maxLength ? Optional.of(read.toByteArray()) : Optional.empty();
        } catch (SocketTimeoutException | EOFException incomplete) {
            return Optional.empty();
        } finally {
            if (place) {
                waiting.release();
            }
        }
    }
}
