// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpHeaders;

/**
 * Closes the connection of a request that was answered before its whole body arrived. It first waits a short time for the rest,
 * because a client that still sends when its connection is closed may lose the answer. It waits for at most 40 clients at once,
 * so clients that never send the rest do not delay others.
 */
final class UnreadBodyValve extends ValveBase {

    private static final int MAX_WAITING = 40;

    private static final Duration WAIT_TIMEOUT = Duration.ofSeconds(2);

    private final Semaphore waiting = new Semaphore(MAX_WAITING);

    private final Predicate<Request> waitsFor;

    /** @param waitsFor the requests for whose rest the valve waits; it closes the connection of others at once */
    UnreadBodyValve(Predicate<Request> waitsFor) {
        super(true);
        this.waitsFor = waitsFor;
    }

    /** Reads below the request's stream, because Tomcat closes that stream with the answer, whether the body is complete or not. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        getNext().invoke(request, response);
        if (!request.isAsync() && hasBody(request)) {
            var body = new RawBody(request.getCoyoteRequest());
            if (!body.arrived()) {
                close(request, response, body);
            }
        }
    }

    /** Returns false also for a malformed length: Tomcat rejects such a request and closes its connection. */
    private static boolean hasBody(Request request) {
        try {
            return request.getContentLengthLong() != 0;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private void close(Request request, Response response, RawBody body) throws IOException {
        if (!response.isCommitted()) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
        }
        if (waitsFor.test(request) && waiting.tryAcquire()) {
            try {
                response.finishResponse();
                body.await(WAIT_TIMEOUT);
            } finally {
                waiting.release();
            }
        }
        if (!body.finished()) {
            body.disableSwallow();
        }
    }
}
