// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file that a user names for an answer. A regular file gets all of it or stays as it was: the answer is written beside it, with the
 * permissions of the file, or with those that a new file has. What a link leads to is replaced, not the link. Devices and pipes are
 * written to.
 */
final class OutputFile {

    private final Path target;

    /** Becomes the target when it is complete; null where the target itself is written to. */
    private final @Nullable Path part;

    /** @throws IOException when the folder is not there */
    OutputFile(Path named) throws IOException {
        boolean isThrough = named.startsWith("/dev") || named.startsWith("/proc")
                || (Files.exists(named) ? !Files.isRegularFile(named) : Files.isSymbolicLink(named));
        target = isThrough || !Files.exists(named) ? named : named.toRealPath();
        part = isThrough ? null : target.resolveSibling(".redliner-" + UUID.randomUUID() + ".part");
    }

    /** A stream that the caller closes. */
    OutputStream open() throws IOException {
        return part == null
                ? Files.newOutputStream(target, StandardOpenOption.WRITE, StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND)
                : Files.newOutputStream(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    /** Puts what was written in its place. */
    void complete() throws IOException {
        if (part == null) {
            return;
        }
        PosixFileAttributeView there = Files.getFileAttributeView(target, PosixFileAttributeView.class);
        if (Files.exists(target) && there != null) {
            Files.setPosixFilePermissions(part, there.readAttributes().permissions());
        }
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Takes away what was not completed. */
    void discard() throws IOException {
        if (part != null) {
            Files.deleteIfExists(part);
        }
    }
}
