// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A control group of its own with a quota of a fifth of a core and a limit of memory, of whichever version is here. */
final class LimitedGroup implements AutoCloseable {

    static final double CORES = 0.2;

    private static final Path MOUNTS = Path.of("/sys/fs/cgroup");

    private final List<Path> folders = new ArrayList<>();

    /** @throws IOException when none can be made here, such as without root */
    LimitedGroup(long memory) throws IOException {
        String name = "redliner-test-" + ProcessHandle.current().pid();
        try {
            if (Files.exists(MOUNTS.resolve("cgroup.controllers"))) {
                enable("+cpu +memory");
                Path folder = make(MOUNTS.resolve(name));
                Files.writeString(folder.resolve("cpu.max"), "20000 100000");
                Files.writeString(folder.resolve("memory.max"), Long.toString(memory));
            } else {
                Path cpu = make(MOUNTS.resolve("cpu").resolve(name));
                Files.writeString(cpu.resolve("cpu.cfs_quota_us"), "20000");
                make(MOUNTS.resolve("cpuacct").resolve(name));
                Path memoryFolder = make(MOUNTS.resolve("memory").resolve(name));
                Files.writeString(memoryFolder.resolve("memory.limit_in_bytes"), Long.toString(memory));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    Path[] folders() {
        return folders.toArray(Path[]::new);
    }

    /** How many of its periods there were so far, and in how many of them it used its quota up, by the kernel's count. */
    Periods periods() throws IOException {
        for (Path folder : folders) {
            Path statistics = folder.resolve("cpu.stat");
            if (Files.exists(statistics)) {
                Map<String, Long> counts = Files.readAllLines(statistics).stream().map(line -> line.split(" ", -1))
                        .collect(Collectors.toMap(line -> line[0], line -> Long.valueOf(line[1])));
                return new Periods(counts.getOrDefault("nr_periods", 0L), counts.getOrDefault("nr_throttled", 0L));
            }
        }
        throw new NoSuchFileException("cpu.stat");
    }

    /**
     * Periods of a quota.
     *
     * @param all periods
     * @param throttled those in which the quota was used up
     */
    record Periods(long all, long throttled) {

        double throttledSince(Periods earlier) {
            return (double) (throttled - earlier.throttled) / (all - earlier.all);
        }
    }

    @Override
    public void close() throws IOException {
        for (Path folder : folders) {
            Files.deleteIfExists(folder);
        }
    }

    /** In version 2, the controllers of the groups below have to be enabled first. */
    private static void enable(String controllers) throws IOException {
        Files.writeString(MOUNTS.resolve("cgroup.subtree_control"), controllers);
    }

    private Path make(Path folder) throws IOException {
        // With both controllers mounted as one it is there already.
        if (!Files.exists(folder)) {
            Files.createDirectory(folder);
            folders.add(folder);
        }
        return folder;
    }
}
