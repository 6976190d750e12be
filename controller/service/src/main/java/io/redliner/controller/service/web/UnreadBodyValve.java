// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
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
            var body = new Body(request.getCoyoteRequest());
            if (!body.arrived()) {
                close(request, response, body);
            }
        }
    }

    /** False for a length that cannot be understood: Tomcat refuses such a request, and closes its connection. */
    private static boolean hasBody(Request request) {
        try {
            return request.getContentLengthLong() != 0;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private void close(Request request, Response response, Body body) throws IOException {
        if (!response.isCommitted()) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
        }
        if (waitsFor.test(request) && waiting.tryAcquire()) {
            try {
                response.finishResponse();
                body.await();
            } finally {
                waiting.release();
            }
        }
        if (!body.finished()) {
            body.request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    /** The rest of a body, which nobody wants. */
    private static final class Body implements ApplicationBufferHandler {

        private final org.apache.coyote.Request request;

        private ByteBuffer read = ByteBuffer.allocate(0);

        Body(org.apache.coyote.Request request) {
            this.request = request;
        }

        boolean finished() {
            var finished = new AtomicBoolean();
            request.action(ActionCode.REQUEST_BODY_FULLY_READ, finished);
            return finished.get();
        }

        /** Reads what is there without a wait. */
        boolean arrived() {
            try {
                while (!finished() && available() > 0 && request.doRead(this) >= 0) {
                    read.clear();
                }
                return finished();
            } catch (IOException gone) {
                return false;
            }
        }

        private int available() {
            request.action(ActionCode.AVAILABLE, true);
            return request.getAvailable();
        }

        void await() {
            long begin = System.nanoTime();
            try {
                while (!finished() && System.nanoTime() - begin < WAIT.toNanos() && request.doRead(this) >= 0) {
                    read.clear();
                }
            } catch (IOException gone) {
                // It is closed in any case.
            }
        }

        @Override
        public void setByteBuffer(ByteBuffer buffer) {
            read = buffer;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return read;
        }

        @Override
        public void expand(int size) {
            // What was read is not kept.
        }
    }
}
