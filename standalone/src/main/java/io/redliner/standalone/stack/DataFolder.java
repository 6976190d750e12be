// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.EnvoyProcess;
import io.redliner.embedded.TemporaryFolder;
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
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder that a standalone RedLiner keeps everything in, held by one process at a time. */
public final class DataFolder implements AutoCloseable {

    /**
     * The format of the kept data; it rises with a build that cannot read the data of the one before, as the migrations of the
     * database show.
     */
    private static final String FORMAT = "2";

    private static final String FORMAT_FILE = "format";

    static final String DATABASE = "postgresql";

    private static final String LOCK_FILE = "redliner.lock";

    private final Path path;

    private final FileChannel channel;

    private DataFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Locks a folder, and creates it when it is missing.
     *
     * @throws DataFolderInUseException when another RedLiner holds it
     * @throws OtherFormatException when a build with another format of what is kept has left data in it
     * @throws UncheckedIOException when it cannot be written
     */
    public static DataFolder lock(Path folder) {
        DataFolder held = holdAny(folder);
        if (held.hasOtherFormat()) {
            held.close();
            throw new OtherFormatException(held.path);
        }
        held.writeFormat();
        return held;
    }

    /** Deletes what a build with another format has left in the folder; nothing where the format is this one. */
    public void deleteOtherFormat() {
        if (hasOtherFormat()) {
            EmbeddedDatabase.endLeftover(resolve(DATABASE));
            Stream.of(DATABASE, "kafka", "analyzer").map(this::resolve).filter(Files::exists)
                    .forEach(TemporaryFolder::delete);
        }
        writeFormat();
    }

    private boolean hasOtherFormat() {
        try {
            Path format = resolve(FORMAT_FILE);
            return Files.exists(resolve(DATABASE))
                    && !(Files.exists(format)
                            && Files.readString(format, StandardCharsets.ISO_8859_1).strip().equals(FORMAT));
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    private void writeFormat() {
        try {
            Files.writeString(resolve(FORMAT_FILE), FORMAT + "\n");
        } catch (IOException e) {
            close();
            throw unusable(path, e);
        }
    }

    private static UncheckedIOException unusable(Path path, IOException e) {
        return new UncheckedIOException("Cannot use the data folder " + path + ": choose another with --data", e);
    }

    /** Like {@link #lock}, whatever another build has left in the folder. */
    public static DataFolder holdAny(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            Path lockFile = path.resolve(LOCK_FILE);
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
            throw unusable(path, e);
        }
    }

    /** Returns whether a RedLiner has used the folder. */
    public static boolean isUsed(Path folder) {
        return Files.exists(folder.resolve(LOCK_FILE));
    }

    /**
     * Returns the process that holds the folder; empty when none does.
     *
     * @throws UncheckedIOException when that cannot be read
     */
    public static Optional<ProcessHandle> holder(Path folder) {
        Path lockFile = folder.resolve(LOCK_FILE);
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
            String pid = Files.readString(lockFile, StandardCharsets.ISO_8859_1).strip();
            return lock(channel) == null && pid.matches("\\d{1,18}")
                    ? ProcessHandle.of(Long.parseLong(pid))
                    : Optional.empty();
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /** Ends the proxy and the database that a RedLiner left running here as it was killed. */
    public void endLeftovers() {
        EnvoyProcess.endLeftover(StandaloneStack.NODE, resolve("envoy"));
        EmbeddedDatabase.endLeftover(resolve(DATABASE));
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Returns the folder itself. */
    public Path path() {
        return path;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    /** Returns the log of everything that runs in the process. */
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

    /** Another RedLiner holds the data folder. */
    static final class DataFolderInUseException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        DataFolderInUseException(Path folder, String holder) {
            super("The data folder " + folder + " is in use by the RedLiner with process id " + holder
                    + ": end that one, or choose another folder with --data");
        }
    }

    /** Another build left data in the folder that this one cannot read. */
    static final class OtherFormatException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        OtherFormatException(Path folder) {
            super("The data in " + folder
                    + " is of another build of RedLiner, and this one cannot read it: choose another folder with"
                    + " --data, or delete this one. UPGRADING.md says which builds understand each other");
        }
    }
}
