// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A control group that may have a limit of memory.
 *
 * @param unified whether it is of version 2
 * @param folder where its files are
 */
record MemCgroup(boolean unified, Path folder) {

    /** Returns the limit in bytes; the largest number without a limit, empty when it is no number. */
    OptionalLong limit() {
        return ProcFiles.text(folder.resolve(unified ? "memory.max" : "memory.limit_in_bytes"))
                .map(text -> text.strip().equals("max")
                        ? OptionalLong.of(Long.MAX_VALUE)
                        : ProcFiles.number(text.strip()))
                .orElse(OptionalLong.of(Long.MAX_VALUE));
    }

    /** Returns the used bytes without the inactive file cache, which the kernel reclaims. Empty when it cannot be read. */
    OptionalLong used() {
        OptionalLong all = ProcFiles.number(folder.resolve(unified ? "memory.current" : "memory.usage_in_bytes"));
        OptionalLong idle = ProcFiles.text(folder.resolve("memory.stat"))
                .map(stat -> ProcFiles.value(stat, unified ? "inactive_file" : "total_inactive_file"))
                .orElse(OptionalLong.empty());
        return all.isEmpty() || idle.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, all.getAsLong() - idle.getAsLong()));
    }

    /** Returns the used part of a limit; empty when it cannot be read. */
    OptionalDouble usedOf(long limit) {
        OptionalLong used = used();
        return used.isEmpty() || limit <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) used.getAsLong() / limit);
    }

    /**
     * Returns the used part of the memory that a process may use. It is that of the fullest limit among its control group and
     * those around it, or of the machine's memory when no limit is below that.
     */
    static OptionalDouble used(SampleSet samples, String owner, Optional<CgroupMembership.Groups> groups,
            MemInfo memInfo) {
        if (groups.isEmpty()) {
            samples.missing("the control groups of " + owner + " cannot be seen from here: no memory");
            return OptionalDouble.empty();
        }
        OptionalDouble fullest = OptionalDouble.empty();
        for (Path folder : groups.get().folders()) {
            var group = new MemCgroup(groups.get().unified(), folder);
            OptionalLong limit = group.limit();
            if (limit.isPresent() && limit.getAsLong() >= memInfo.total()) {
                continue;
            }
            OptionalDouble used = limit.isPresent() ? group.usedOf(limit.getAsLong()) : OptionalDouble.empty();
            if (used.isEmpty()) {
                samples.missing("the memory limit of " + owner + " in " + folder + " cannot be read: no memory");
                return OptionalDouble.empty();
            }
            fullest = OptionalDouble.of(Math.max(used.getAsDouble(), fullest.orElse(0)));
        }
        return fullest.isPresent() ? fullest : OptionalDouble.of(memInfo.used());
    }
}
