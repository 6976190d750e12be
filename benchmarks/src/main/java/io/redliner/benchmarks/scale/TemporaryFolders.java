// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** What a bench leaves on the disk. */
final class TemporaryFolders {

    private TemporaryFolders() {}

    static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
