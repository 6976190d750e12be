// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A proxy's admin interface. */
record AdminClient(int port) {

    String get(String path) {
        try (InputStream answer = URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
