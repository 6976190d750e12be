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
    private static final String FORMAT = "4";

    private static final String FORMAT_FILE = "format";

    static final String DATABASE = "postgresql";

    private static final String LOCK_FILE = "redliner.lock";

    /** The text before the number of a process that holds the folder to end what is left in it. */
    private static final String DOWN = "down ";

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
        return hold(folder, "");
    }

    /** Like {@link #holdAny}, to end what is left in the folder: {@link #holder} does not take this process for one to be ended. */
    public static DataFolder holdToEnd(Path folder) {
        return hold(folder, DOWN);
    }

    private static DataFolder hold(Path folder, String role) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            Path lockFile = path.resolve(LOCK_FILE);
            FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new DataFolderInUseException(path, content(lockFile),
                        "end that one, or choose another folder with --data");
            }
            channel.truncate(0);
            channel.write(ByteBuffer
                    .wrap((role + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
            return new DataFolder(path, channel);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    private static String content(Path lockFile) throws IOException {
        return Files.readString(lockFile, StandardCharsets.ISO_8859_1).strip();
    }

    /** Returns whether a RedLiner has used the folder. */
    public static boolean isUsed(Path folder) {
        return Files.exists(folder.resolve(LOCK_FILE));
    }

    /**
     * Returns the process that holds the folder and can be ended; empty when none holds it.
     *
     * @throws DataFolderInUseException when a process holds it that has another number here, as one in a container, or that ends
     *     what is left in it
     * @throws UncheckedIOException when that cannot be read
     */
    public static Optional<ProcessHandle> holder(Path folder) {
        Path lockFile = folder.resolve(LOCK_FILE);
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
            String holder = content(lockFile);
            if (lock(channel) != null) {
                return Optional.empty();
            }
            Optional<ProcessHandle> process = holder.matches("\\d{1,18}")
                    ? ProcessHandle.of(Long.parseLong(holder)).filter(handle -> hasOpen(handle, lockFile))
                    : Optional.empty();
            if (process.isEmpty()) {
                throw new DataFolderInUseException(folder, holder, holder.startsWith(DOWN)
                        ? "wait until that one has ended"
                        : "no such RedLiner has that number here, so it runs in another container or for another user; end it there");
            }
            return process;
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /** Returns whether another process has the lock file open: the number alone may be that of any process, if a container has written it. */
    private static boolean hasOpen(ProcessHandle process, Path lockFile) {
        if (process.equals(ProcessHandle.current())) {
            return false;
        }
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return open.anyMatch(file -> isSame(file, lockFile));
        } catch (IOException unreadable) {
            return process.info().commandLine().orElse("").contains("redliner");
        }
    }

    private static boolean isSame(Path open, Path lockFile) {
        try {
            return Files.isSameFile(open, lockFile);
        } catch (IOException closed) {
            return false;
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

        DataFolderInUseException(Path folder, String holder, String advice) {
            super("The data folder " + folder + " is in use by "
                    + (holder.startsWith(DOWN)
                            ? "redliner down with process id " + holder.substring(DOWN.length())
                            : "the RedLiner with process id " + holder)
                    + ": " + advice);
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
