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
 * Closes a connection whose request is answered before its body is there, after a short wait for the rest of it: a client
 * that still sends when the connection is closed may lose the answer. Only so many are waited for at once, so clients that
 * never send the rest hold up nobody.
 */
final class UnreadBodyValve extends ValveBase {

    private static final int AT_ONCE = 40;

    private static final Duration WAIT = Duration.ofSeconds(2);

    private final Semaphore waiting = new Semaphore(AT_ONCE);

    private final Predicate<Request> waitsFor;

    /** @param waitsFor whether the rest of a request's body is waited for at all */
    UnreadBodyValve(Predicate<Request> waitsFor) {
        super(true);
        this.waitsFor = waitsFor;
    }

    /** Reads below the request's stream: Tomcat closes that with the answer, whether the body is there or not. */
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

    /** Returns false for a length that cannot be understood: Tomcat refuses such a request, and closes its connection. */
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
                body.await(WAIT);
            } finally {
                waiting.release();
            }
        }
        if (!body.finished()) {
            body.disableSwallow();
        }
    }
}
