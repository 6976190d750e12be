// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The source files of this repository. */
final class Checkout {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Built, downloaded or generated. */
    private static final Set<String> SKIPPED = Set.of("target", "node_modules");

    /** Hidden folders that are part of the repository. */
    private static final Set<String> HIDDEN = Set.of(".ci", ".github");

    private Checkout() {}

    /** The files with one of these endings, in the order of their names. */
    static List<Path> files(String... endings) {
        var files = new ArrayList<Path>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {

                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = String.valueOf(folder.getFileName());
                    boolean skipped = SKIPPED.contains(name) || (name.startsWith(".") && !HIDDEN.contains(name));
                    return skipped && !folder.equals(ROOT) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    // Another build beside this one may remove files that are not in the repository.
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (Stream.of(endings).anyMatch(ending -> file.toString().endsWith(ending))) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (files.isEmpty()) {
            throw new IllegalStateException("No file of " + ROOT + " ends with one of " + List.of(endings));
        }
        return files.stream().sorted().toList();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file's name for people. */
    static String name(Path file) {
        return ROOT.relativize(file).toString();
    }
}
