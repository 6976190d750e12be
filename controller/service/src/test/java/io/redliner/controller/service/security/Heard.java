// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Everything that is logged and printed in this process while it is open; it is printed all the same. */
final class Heard implements AutoCloseable {

    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

    private final PrintStream before = System.out;

    Heard() {
        System.setOut(new PrintStream(new OutputStream() {

            @Override
            public void write(int letter) {
                heard.write(letter);
                before.write(letter);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                heard.write(bytes, offset, length);
                before.write(bytes, offset, length);
            }
        }, true, StandardCharsets.UTF_8));
    }

    String text() {
        return heard.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setOut(before);
    }
}
