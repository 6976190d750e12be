// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.EnvoyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary folder with the data of a stack and its services file. */
final class StackFolder implements AutoCloseable {

    private final Path folder;

    private final ServicesFile services;

    StackFolder() throws IOException {
        folder = Files.createTempDirectory("redliner-acceptance");
        services = new ServicesFile(folder);
    }

    Path data() {
        return folder.resolve("data");
    }

    ServicesFile services() {
        return services;
    }

    /** The process of its Envoy. */
    ProcessHandle envoy() throws IOException {
        Path pidFile = data().resolve("envoy/envoy-standalone.pid");
        return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip())).orElseThrow();
    }

    /** Ends the proxy and the database of a RedLiner that was killed and not started again. */
    private void endLeftovers() {
        EnvoyProcess.endLeftover("standalone", data().resolve("envoy"));
        EmbeddedDatabase.endLeftover(data().resolve("postgresql"));
    }

    @Override
    public void close() throws IOException {
        endLeftovers();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
