// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file that the user names for an answer. A regular file gets the whole answer or stays unchanged: the answer is written to a
 * temporary file in the same folder, which then replaces the target and has its owner and permissions. Symbolic links are followed,
 * and their target is replaced. A file that may be written but not replaced is overwritten. Devices, pipes and open descriptors are
 * written to.
 */
final class OutputFile implements Closeable {

    /** The name with which users ask for the standard output. */
    static final Path STANDARD_OUTPUT = Path.of("-");

    /** The number of links that Linux follows. */
    private static final int MAX_LINKS = 40;

    private final Path named;

    /** The file that the links lead to. */
    private final Path target;

    /** The stream for a target that cannot be replaced, such as a device; null for a regular file. */
    private final @Nullable OutputStream device;

    /** @throws IOException when nothing can be written there; the message has the name that the user gave */
    OutputFile(Path named) throws IOException {
        this.named = named;
        try {
            Path end = end(named);
            if (Files.isDirectory(end)) {
                throw new FileSystemException(end.toString(), null, "is a folder");
            }
            boolean isThrough = isDescriptor(end) || (Files.exists(end) && !Files.isRegularFile(end));
            target = end;
            device = isThrough ? Files.newOutputStream(end, StandardOpenOption.APPEND) : null;
        } catch (IOException failure) {
            throw FileFailure.of(named, failure);
        }
    }

    private static Path end(Path named) throws IOException {
        Path end = named;
        for (int links = 0; links <= MAX_LINKS; links++) {
            Path folder = folder(end);
            end = folder.resolve(end.getFileName() == null ? Path.of("") : end.getFileName());
            if (isDescriptor(end) || !Files.isSymbolicLink(end)) {
                return end;
            }
            end = folder.resolve(Files.readSymbolicLink(end));
        }
        throw new FileSystemLoopException(named.toString());
    }

    private static Path folder(Path file) throws IOException {
        Path above = file.getParent();
        try {
            Path folder = (above == null ? Path.of("") : above).toRealPath();
            if (!Files.isDirectory(folder)) {
                throw new FileSystemException(file.toString(), null, above + " is no folder");
            }
            return folder;
        } catch (NoSuchFileException missing) {
            FileSystemException failure = new FileSystemException(file.toString(), null, "there is no folder " + above);
            failure.addSuppressed(missing);
            throw failure;
        }
    }

    /** Returns whether the path is an open descriptor of a process. Other processes may write to the same file. */
    private static boolean isDescriptor(Path file) {
        return file.startsWith("/proc") || file.startsWith("/dev/fd");
    }

    /** Writes the whole answer. */
    void write(byte[] content) throws IOException {
        try {
            if (device != null) {
                device.write(content);
                device.flush();
            } else if (!isReplaced(content)) {
                overwrite(content);
            }
        } catch (IOException failure) {
            throw FileFailure.of(named, failure);
        }
    }

    /** Replaces the target; returns false when it cannot be replaced, only overwritten. */
    private boolean isReplaced(byte[] content) throws IOException {
        Path folder = target.resolveSibling("");
        boolean isThere = Files.exists(target);
        if (isThere && !Files.isWritable(folder)) {
            return false;
        }
        Path part = folder.resolve(".redliner-" + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE_NEW)) {
                if (isThere && !isAlike(part)) {
                    return false;
                }
                out.write(content);
            }
            return isMoved(part, isThere);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private boolean isMoved(Path part, boolean isThere) throws IOException {
        try {
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException kept) {
            if (isThere) {
                // The target is a mount, or only its owner may replace files of the folder.
                return false;
            }
            throw kept;
        }
    }

    /** Gives the temporary file the owner, the group and the permissions of the target; returns false when that is not allowed. */
    private boolean isAlike(Path part) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(part, PosixFileAttributeView.class,
                LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            return true;
        }
        PosixFileAttributes there = Files.readAttributes(target, PosixFileAttributes.class);
        PosixFileAttributes own = view.readAttributes();
        try {
            if (!own.group().equals(there.group())) {
                view.setGroup(there.group());
            }
            if (!own.owner().equals(there.owner())) {
                view.setOwner(there.owner());
            }
            view.setPermissions(there.permissions());
            return true;
        } catch (FileSystemException notAllowed) {
            return false;
        }
    }

    private void overwrite(byte[] content) throws IOException {
        try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            try {
                out.write(content);
            } catch (IOException failure) {
                throw new IOException("what was there is lost, and not all of the answer is written: "
                        + FileFailure.reason(failure), failure);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (device != null) {
            device.close();
        }
    }
}
