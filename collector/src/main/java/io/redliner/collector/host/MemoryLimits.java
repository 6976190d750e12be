// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.source.SampleSet;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How much is used of the memory that a process may use: of the limit of its control group or one around it, whichever
 * is fuller, and without any below the machine's memory, of that.
 */
final class MemoryLimits {

    private MemoryLimits() {}

    static OptionalDouble used(SampleSet readings, String who, Optional<CgroupMembership.Groups> groups,
            MemInfo machine) {
        if (groups.isEmpty()) {
            readings.missing("the control groups of " + who + " cannot be seen from here: no memory");
            return OptionalDouble.empty();
        }
        OptionalDouble fullest = OptionalDouble.empty();
        for (Path folder : groups.get().folders()) {
            var group = new MemCgroup(groups.get().unified(), folder);
            OptionalLong limit = group.limit();
            if (limit.isPresent() && limit.getAsLong() >= machine.total()) {
                continue;
            }
            OptionalDouble used = limit.isPresent() ? group.usedOf(limit.getAsLong()) : OptionalDouble.empty();
            if (used.isEmpty()) {
                readings.missing("the memory limit of " + who + " in " + folder + " cannot be read: no memory");
                return OptionalDouble.empty();
            }
            fullest = OptionalDouble.of(Math.max(used.getAsDouble(), fullest.orElse(0)));
        }
        return fullest.isPresent() ? fullest : OptionalDouble.of(machine.used());
    }
}
