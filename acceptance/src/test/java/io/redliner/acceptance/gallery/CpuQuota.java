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
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A control group of this machine with a quota of CPU time, of version 1 or 2. The test is skipped where none can be made. */
final class CpuQuota implements AutoCloseable {

    private static final long PERIOD_MICROS = 100_000;

    private final Path group;

    private CpuQuota(Path group) {
        this.group = group;
    }

    /** @param cores that it may use, above 0 */
    static CpuQuota of(double cores) {
        long quota = Math.round(cores * PERIOD_MICROS);
        for (Path root : Stream.of("/sys/fs/cgroup/cpu", "/sys/fs/cgroup").map(Path::of).toList()) {
            Path group = root.resolve("redliner-gallery-" + UUID.randomUUID());
            try {
                Files.createDirectory(group);
                if (Files.exists(group.resolve("cpu.max"))) {
                    Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
                } else {
                    Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
                    Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
                }
                return new CpuQuota(group);
            } catch (IOException refused) {
                deleteIfThere(group);
            }
        }
        return Assumptions
                .abort("no control group with a CPU quota can be made: be root, with /sys/fs/cgroup writable");
    }

    private static boolean deleteIfThere(Path group) {
        try {
            return Files.deleteIfExists(group);
        } catch (IOException busy) {
            return false;
        }
    }

    /** Returns the command as it begins in the group. */
    List<String> enter(List<String> command) {
        List<String> inGroup = new ArrayList<>(
                List.of("sh", "-c", "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"", "enter"));
        inGroup.addAll(command);
        return inGroup;
    }

    /** The kernel forgets the group's processes some moments after they ended. */
    @Override
    public void close() {
        await().atMost(Duration.ofSeconds(10)).until(() -> deleteIfThere(group));
    }
}
