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
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A control group of this machine with a quota of CPU time, of version 1 or 2. The test is skipped where none can be made. */
final class CpuQuota implements AutoCloseable {

    private static final long PERIOD_MICROS = 100_000;

    private final List<Path> groups;

    private CpuQuota(List<Path> groups) {
        this.groups = groups;
    }

    /** @param cores that it may use, above 0 */
    static CpuQuota of(double cores) {
        String name = "redliner-gallery-" + UUID.randomUUID();
        // Version 1 counts the CPU time in a hierarchy of its own, where container engines make the same group.
        for (List<Path> roots : Stream.of(List.of("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpuacct"),
                List.of("/sys/fs/cgroup")).map(each -> each.stream().map(Path::of).toList()).toList()) {
            List<Path> groups = roots.stream().map(root -> root.resolve(name)).toList();
            try {
                for (Path group : groups) {
                    if (!Files.exists(group)) {
                        Files.createDirectory(group);
                    }
                }
                limit(groups.getFirst(), Math.round(cores * PERIOD_MICROS));
                return new CpuQuota(groups);
            } catch (IOException refused) {
                groups.forEach(CpuQuota::deleteIfThere);
            }
        }
        return Assumptions
                .abort("no control group with a CPU quota can be made: be root, with /sys/fs/cgroup writable");
    }

    private static void limit(Path group, long quotaMicros) throws IOException {
        if (Files.exists(group.resolve("cpu.max"))) {
            Files.writeString(group.resolve("cpu.max"), quotaMicros + " " + PERIOD_MICROS);
        } else {
            Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaMicros));
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
        await().atMost(Duration.ofSeconds(10)).until(() -> groups.stream().allMatch(CpuQuota::deleteIfThere));
    }
}
