// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.ActionCode;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/** A body, read below the request's stream. Bytes that have arrived can be read without a wait, and Tomcat does not close it with
 * the answer. */
final class RawBody implements ApplicationBufferHandler {

    /** The longest time between two bytes of a chunk's header, which cannot be read in part. */
    private static final Duration MAX_GAP = Duration.ofMillis(50);

    private final Request request;

    private ByteBuffer read = ByteBuffer.allocate(0);

    RawBody(Request request) {
        this.request = request;
    }

    boolean finished() {
        var finished = new AtomicBoolean();
        request.action(ActionCode.REQUEST_BODY_FULLY_READ, finished);
        return finished.get();
    }

    /** Returns the bytes that can be read without a wait. */
    int available() {
        request.action(ActionCode.AVAILABLE, true);
        return request.getAvailable();
    }

    /** Sends {@code 100 Continue} to a client that expects it. */
    void requestRest() {
        request.action(ActionCode.ACK, ContinueResponseTiming.ON_REQUEST_BODY_READ);
    }

    /** Reads what is available; false at the end. */
    boolean readInto(ByteArrayOutputStream target) throws IOException {
        int length = read();
        for (int number = 0; number < length; number++) {
            target.write(read.get());
        }
        return length >= 0;
    }

    private int read() throws IOException {
        return LimitedHttpProtocol.withReadTimeout(MAX_GAP, () -> request.doRead(this));
    }

    /** Returns whether the whole body is there; reads what is there without a wait. */
    boolean arrived() {
        try {
            while (!finished() && available() > 0 && read() >= 0) {
                read.clear();
            }
            return finished();
        } catch (IOException gone) {
            return false;
        }
    }

    /** Waits for the rest, and discards it. */
    void await(Duration timeout) {
        long begin = System.nanoTime();
        try {
            while (!finished() && System.nanoTime() - begin < timeout.toNanos()
                    && LimitedHttpProtocol.withReadTimeout(timeout, () -> request.doRead(this)) >= 0) {
                read.clear();
            }
        } catch (IOException gone) {
            // It is closed in any case.
        }
    }

    void disableSwallow() {
        request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
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
