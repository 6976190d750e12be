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
 * A file that a user names for an answer. A regular file gets all of it or stays as it was. The answer is written beside it, with
 * the owner and the permissions of the file, or with those that a new file has. What a link leads to is replaced, not the link. Where a
 * file may be written but not replaced, its content is overwritten. Devices, pipes and open descriptors are written to.
 */
final class OutputFile implements Closeable {

    /** The number that the kernel follows. */
    private static final int MAX_LINKS = 40;

    private final Path named;

    /** The end of all links. */
    private final Path target;

    /** Takes the answer where nothing can be replaced; else null. */
    private final @Nullable OutputStream device;

    /** @throws IOException when nothing can be written there, in words with the name that is given */
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

    /** Recognises the descriptors of a process: what such a name leads to is open already, and others write to it too. */
    private static boolean isDescriptor(Path file) {
        return file.startsWith("/proc") || file.startsWith("/dev/fd");
    }

    /** Puts the whole answer there. */
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

    /** @return false when the file that is there has to be kept */
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
                // It is a mount, or its folder lets nobody but the owner replace it.
                return false;
            }
            throw kept;
        }
    }

    /** Gives a part the owner, the group and the permissions of the target, where that is possible. */
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
