// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.linux.ProcFiles;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads the counters that a HotSpot JVM keeps in a file for tools like jstat: {@code hsperfdata_<user>/<process>} in its folder
 * for temporary files, version 2.0 of the format. A user who may read the process can read the file. These counters are not in
 * JMX.
 */
final class HsPerfData {

    private static final int MAGIC = 0xcafec0c0;

    private static final int MAX_BYTES = 1 << 20;

    private static final int MAX_FOLDERS = 100;

    private static final byte LONG = 'J';

    private static final String YOUNG = "sun.gc.generation.0.maxCapacity";

    private static final String OLD = "sun.gc.generation.1.maxCapacity";

    private HsPerfData() {}

    /**
     * Returns the file of a process. It is read through the process's own root folder and named by its innermost id, both of
     * which differ in a container.
     *
     * @param proc folder of the kernel's tables, usually {@code /proc}
     */
    static Optional<Path> file(Path proc, long process) {
        Path own = proc.resolve(Long.toString(process));
        try {
            String name = innermostId(own, process);
            return ProcFiles.folder(own.resolve("root/tmp"), "hsperfdata_*").stream().limit(MAX_FOLDERS)
                    .map(folder -> folder.resolve(name))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).findFirst();
        } catch (IOException e) {
            // The process has ended, or belongs to another user. The connection to it then reports that.
            return Optional.empty();
        }
    }

    /**
     * Returns the size in bytes up to which the heap of a process may grow; empty when the process keeps no counters of its
     * generations.
     *
     * @param proc folder of the kernel's tables, usually {@code /proc}
     */
    static OptionalLong largestHeap(Path proc, long process) {
        try {
            Optional<Path> file = file(proc, process);
            return file.isEmpty() ? OptionalLong.empty() : largestHeap(read(file.get(), Set.of(YOUNG, OLD)));
        } catch (IOException unreadable) {
            return OptionalLong.empty();
        }
    }

    static OptionalLong largestHeap(Map<String, Long> counters) {
        Long young = counters.get(YOUNG);
        Long old = counters.get(OLD);
        // Collectors without fixed generations report the whole heap for each of them.
        return young == null || old == null
                ? OptionalLong.empty()
                : OptionalLong.of(young.equals(old) ? young : young + old);
    }

    private static String innermostId(Path own, long process) throws IOException {
        return Files.readAllLines(own.resolve("status")).stream().filter(line -> line.startsWith("NSpid:"))
                .map(line -> line.substring(line.lastIndexOf('\t') + 1).trim()).findFirst()
                .orElse(Long.toString(process));
    }

    /**
     * Reads the counters with these names that are whole numbers.
     *
     * @throws IOException when the file is not there, or has another format
     */
    static Map<String, Long> read(Path file, Set<String> names) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file,
                Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MAX_BYTES, channel.size()));
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Reads until the end of the file.
            }
            return parse(bytes.flip(), names);
        }
    }

    static Map<String, Long> parse(ByteBuffer bytes, Set<String> names) throws IOException {
        try {
            if (bytes.getInt(0) != MAGIC) {
                throw new IOException("no performance data of a HotSpot JVM");
            }
            bytes.order(bytes.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            int entry = bytes.getInt(24);
            int entries = bytes.getInt(28);
            Map<String, Long> found = new HashMap<>();
            for (int number = 0; number < entries; number++) {
                int length = bytes.getInt(entry);
                entry(bytes.slice(entry, length).order(bytes.order()), names, found);
                entry += length;
            }
            return found;
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IOException("performance data that is cut off", e);
        }
    }

    private static void entry(ByteBuffer entry, Set<String> names, Map<String, Long> found) {
        int nameAt = entry.getInt(4);
        boolean number = entry.getInt(8) == 0 && entry.get(12) == LONG;
        int dataAt = entry.getInt(16);
        if (nameAt < 0 || dataAt < nameAt || dataAt > entry.capacity()) {
            throw new IndexOutOfBoundsException(dataAt);
        }
        if (number) {
            byte[] name = new byte[dataAt - nameAt];
            entry.get(nameAt, name);
            // The name ends with a zero and is padded with zeros.
            String trimmed = new String(name, StandardCharsets.US_ASCII).replace("\0", "");
            if (names.contains(trimmed)) {
                found.put(trimmed, entry.getLong(dataAt));
            }
        }
    }
}
