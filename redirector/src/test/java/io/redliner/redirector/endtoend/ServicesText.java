// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes services files. */
final class ServicesText {

    private ServicesText() {}

    /** A file with one service, all of whose configuration comes from the redirector. */
    static Path listening(Path folder, String name, int port, List<String> instances) {
        try {
            return Files.writeString(folder.resolve("services.yaml"),
                    "services:\n" + service(name, "", "listen: \"127.0.0.1:" + port + "\"", "", instances));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /**
     * The description of a service of any kind.
     *
     * @param proxies the line that names its group of proxies, or nothing
     * @param integration the line that says how much comes from the redirector, or nothing
     * @param more a further line, or nothing
     */
    static String service(String name, String proxies, String integration, String more, List<String> instances) {
        String quoted = instances.stream().map(address -> '"' + address + '"').collect(Collectors.joining(", "));
        return """
                  - name: %s
                    %s
                    %s
                    %s
                    instances: [%s]
                """.formatted(name, proxies, integration, more, quoted);
    }
}
