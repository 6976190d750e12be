// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes services files with the one service {@code demo}. */
final class ServicesText {

    private ServicesText() {}

    /** Everything comes from the redirector. */
    static Path listening(Path folder, int port, List<String> instances) {
        return write(folder, "listen: \"127.0.0.1:" + port + "\"", "", instances);
    }

    /**
     * A service of any kind.
     *
     * @param integration the line that says how much comes from the redirector, or nothing
     * @param more a further line, or nothing
     */
    static Path write(Path folder, String integration, String more, List<String> instances) {
        String quoted = instances.stream().map(address -> '"' + address + '"').collect(Collectors.joining(", "));
        try {
            return Files.writeString(folder.resolve("services.yaml"), """
                    services:
                      - name: demo
                        %s
                        %s
                        instances: [%s]
                    """.formatted(integration, more, quoted));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
