// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * The body of an answer whose beginning is held back. Until {@value #MAX_BYTES} bytes are there the answer is untouched, so that
 * a failure can still be answered with a problem. After that, bytes go out as they are written.
 */
final class HeldBack extends OutputStream {

    static final int MAX_BYTES = 64 * 1024;

    private final HttpServletResponse response;

    private final Map<String, String> headers;

    private final ByteArrayOutputStream held = new ByteArrayOutputStream();

    private boolean begun;

    HeldBack(HttpServletResponse response, Map<String, String> headers) {
        this.response = response;
        this.headers = headers;
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[]{(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (!begun && held.size() + length <= MAX_BYTES) {
            held.write(bytes, offset, length);
            return;
        }
        begin();
        response.getOutputStream().write(bytes, offset, length);
    }

    /** Sends the answer. To be called only when all of it was written. */
    void finish() throws IOException {
        begin();
        response.flushBuffer();
    }

    private void begin() throws IOException {
        if (!begun) {
            begun = true;
            headers.forEach(response::setHeader);
            held.writeTo(response.getOutputStream());
            held.reset();
        }
    }
}
