// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Creates and deletes temporary folders. */
public final class TemporaryFolder {

    private TemporaryFolder() {}

    /**
     * Creates an empty folder, which is deleted when the process ends.
     *
     * @param purpose a part of its name
     * @throws UncheckedIOException when it cannot be made
     */
    public static Path create(String purpose) {
        try {
            Path folder = Files.createTempDirectory("redliner-" + purpose);
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> deleteLeftover(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a temporary folder", e);
        }
    }

    /** Returns whether programs may be run from the folder of temporary folders; false when it is mounted noexec. */
    static boolean canRunPrograms() {
        try {
            Path program = Files.createTempFile("redliner", ".sh");
            try {
                Files.writeString(program, "#!/bin/sh\n");
                return program.toFile().setExecutable(true)
                        && new ProcessBuilder(program.toString()).start().waitFor() == 0;
            } finally {
                Files.delete(program);
            }
        } catch (IOException refused) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Deletes folders whose owners were never closed, as far as possible. */
    private static void deleteLeftover(Path folder) {
        try {
            if (Files.exists(folder)) {
                delete(folder);
            }
        } catch (UncheckedIOException e) {
            // Its owner still writes while the process ends: the rest is the system's to clean.
        }
    }

    /**
     * Deletes a folder with its content.
     *
     * @throws UncheckedIOException when a file cannot be deleted
     */
    public static void delete(Path folder) {
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
