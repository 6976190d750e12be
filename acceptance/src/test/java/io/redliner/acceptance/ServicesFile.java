// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The services file of a stack. Tests add their services while the stack runs, and the redirector reads the file again whenever
 * it changes. An entry without traffic keeps the list from being empty, which the redirector refuses. Thread-safe.
 */
final class ServicesFile {

    private final Path path;

    private final Map<String, String> entries = new LinkedHashMap<>();

    /** @param folder of the file, which is written at once */
    ServicesFile(Path folder) {
        this.path = folder.resolve("services.yaml");
        put("nobody", """
                  - name: nobody
                    listen: "127.0.0.1:%s"
                    instances: ["127.0.0.1:1", "127.0.0.1:2"]
                """.formatted(FreePort.next()));
    }

    Path path() {
        return path;
    }

    /** Adds a service, or replaces it. */
    synchronized void put(String name, String entry) {
        entries.put(name, entry);
        write();
    }

    synchronized void remove(String name) {
        entries.remove(name);
        write();
    }

    private void write() {
        try {
            Path next = Files.writeString(path.resolveSibling("services.next"),
                    "services:\n" + String.join("", entries.values()));
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the services file", e);
        }
    }
}
