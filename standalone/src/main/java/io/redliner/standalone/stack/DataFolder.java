// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The folder that a standalone RedLiner keeps everything in, held by one process at a time. */
public final class DataFolder implements AutoCloseable {

    private final Path path;

    private final FileChannel channel;

    private DataFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Takes a folder, which is made when it is not there.
     *
     * @throws DataFolderInUseException when another RedLiner holds it
     * @throws UncheckedIOException when it cannot be written
     */
    public static DataFolder hold(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            Path lockFile = path.resolve("redliner.lock");
            FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new DataFolderInUseException(path,
                        Files.readString(lockFile, StandardCharsets.ISO_8859_1).strip());
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
            return new DataFolder(path, channel);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use the data folder " + path + ": choose another with --data", e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** The folder itself. */
    public Path path() {
        return path;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    /** The log of everything that runs in the process. */
    public Path log() {
        return path.resolve("redliner.log");
    }

    @Override
    public String toString() {
        return path.toString();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot release the data folder " + path, e);
        }
    }
}
