// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that goes with its owner. */
final class TemporaryFolder {

    private TemporaryFolder() {}

    static Path create(String purpose) {
        try {
            return Files.createTempDirectory("redliner-" + purpose);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a temporary folder", e);
        }
    }

    static void delete(Path folder) {
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(folder)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + folder, e);
        }
    }
}
