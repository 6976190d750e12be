// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * A control group of this machine with a quota of CPU time or of writes, of version 1 or 2. The test is skipped where none can be
 * made.
 */
final class LimitedGroup implements AutoCloseable {

    private static final long PERIOD_MICROS = 100_000;

    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    private final List<Path> groups;

    private LimitedGroup(List<Path> groups) {
        this.groups = groups;
    }

    /** A limit of a group, in files of the kernel. */
    private interface Limit {

        void set(Path group) throws IOException;
    }

    /** @param cores that it may use, above 0 */
    static LimitedGroup cpu(double cores) {
        long quotaMicros = Math.round(cores * PERIOD_MICROS);
        // Version 1 counts the CPU time in a hierarchy of its own, where container engines make the same group.
        return of(List.of("cpu", "cpuacct"), group -> {
            if (Files.exists(group.resolve("cpu.max"))) {
                Files.writeString(group.resolve("cpu.max"), quotaMicros + " " + PERIOD_MICROS);
            } else {
                Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
                Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaMicros));
            }
        });
    }

    /**
     * Returns a group that may write so often.
     *
     * @param file on the disk that is limited
     */
    static LimitedGroup writes(Path file, int perSecond) {
        return of(List.of("blkio"), group -> {
            String disk = disk(file);
            if (Files.exists(group.resolve("io.max"))) {
                Files.writeString(group.resolve("io.max"), disk + " wiops=" + perSecond);
            } else {
                Files.writeString(group.resolve("blkio.throttle.write_iops_device"), disk + " " + perSecond);
            }
        });
    }

    /** Returns the numbers of the disk that a file is on, as the kernel writes them. */
    private static String disk(Path file) throws IOException {
        long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
        Path block = Path
                .of("/sys/dev/block/" + ((device >> 8) & 0xfff) + ":" + ((device & 0xff) | ((device >> 12) & 0xfff00)))
                .toRealPath();
        Path whole = Files.exists(block.resolve("partition")) ? block.resolve("..").normalize() : block;
        return Files.readString(whole.resolve("dev")).strip();
    }

    private static LimitedGroup of(List<String> hierarchies, Limit limit) {
        String name = "redliner-gallery-" + UUID.randomUUID();
        boolean unified = Files.exists(ROOT.resolve("cgroup.controllers"));
        List<Path> groups = (unified ? List.of(ROOT) : hierarchies.stream().map(ROOT::resolve).toList()).stream()
                .map(root -> root.resolve(name)).toList();
        try {
            for (Path group : groups) {
                // Some hierarchies are one, with two names.
                if (!Files.exists(group)) {
                    Files.createDirectory(group);
                }
            }
            limit.set(groups.getFirst());
            return new LimitedGroup(groups);
        } catch (IOException refused) {
            groups.forEach(LimitedGroup::deleteIfThere);
            return Assumptions
                    .abort("no control group with a limit can be made, as root in " + ROOT + " can: " + refused);
        }
    }

    private static boolean deleteIfThere(Path group) {
        try {
            return Files.deleteIfExists(group) || !Files.exists(group);
        } catch (IOException busy) {
            return false;
        }
    }

    /** Returns the command as it begins in the groups. */
    List<String> enter(List<String> command) {
        String enter = groups.stream().map(group -> "echo $$ > " + group.resolve("cgroup.procs") + " && ")
                .collect(Collectors.joining());
        List<String> inGroups = new ArrayList<>(List.of("sh", "-c", enter + "exec \"$@\"", "enter"));
        inGroups.addAll(command);
        return inGroups;
    }

    /** The kernel forgets the groups' processes some moments after they ended. */
    @Override
    public void close() {
        await().atMost(Duration.ofSeconds(10)).until(() -> groups.stream().allMatch(LimitedGroup::deleteIfThere));
    }
}
