// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Everything that is logged and printed in this process while it is open; it is printed all the same. */
public final class CapturedOutput implements AutoCloseable {

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private final PrintStream before = System.out;

    public CapturedOutput() {
        System.setOut(new PrintStream(new OutputStream() {

            @Override
            public void write(int letter) {
                output.write(letter);
                before.write(letter);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                output.write(bytes, offset, length);
                before.write(bytes, offset, length);
            }
        }, true, StandardCharsets.UTF_8));
    }

    public String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setOut(before);
    }
}
