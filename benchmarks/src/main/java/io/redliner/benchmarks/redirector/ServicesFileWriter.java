// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A services file. */
final class ServicesFileWriter {

    private final StringBuilder text = new StringBuilder("services:\n");

    /** @param proxies the group that carries the service; empty for the one that is there without a word */
    ServicesFileWriter add(String name, String proxies, String listen, List<String> instances) {
        text.append("  - name: ").append(name).append('\n');
        if (!proxies.isEmpty()) {
            text.append("    proxies: ").append(proxies).append('\n');
        }
        text.append("    listen: \"").append(listen).append("\"\n    instances:\n");
        instances.forEach(instance -> text.append("      - \"").append(instance).append("\"\n"));
        return this;
    }

    Path write(Path folder) throws IOException {
        return Files.writeString(folder.resolve("services.yaml"), text);
    }
}
