// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;

/**
 * The processor time that a virtual machine's host gave to others, by the kernel's own account. An instance that is robbed of it
 * cannot do what it was made for: that a run finds something else there, or can tell nothing, is no fault of RedLiner.
 */
final class StolenTime {

    /** Of all processors' time: what a machine loses that is as good as alone. */
    private static final double TOLERATED = 0.03;

    private static final Path KERNEL = Path.of("/proc/stat");

    /** The column of the time that was stolen, and how many there are: the guests' follow, which are in the users' already. */
    private static final int STOLEN = 7;

    private static final int COLUMNS = 8;

    private final long[] begin = ticks();

    /** From now on. */
    StolenTime() {}

    /** The part of all processors' time since the beginning, from 0 to 1. */
    private double share() {
        long[] now = ticks();
        return (double) (now[STOLEN] - begin[STOLEN])
                / Math.max(1, Arrays.stream(now).sum() - Arrays.stream(begin).sum());
    }

    /**
     * Asserts what is so on a machine that has its processors. On one that was robbed of them a failure tells nothing, and the test
     * is aborted, with what failed.
     */
    void unlessRobbed(ThrowingCallable assertions) throws Throwable {
        try {
            assertions.call();
        } catch (AssertionError failure) {
            double share = share();
            if (share <= TOLERATED) {
                throw failure;
            }
            String robbed = String.format(Locale.ROOT, "the machine's host gave %.0f %% of its processors to others",
                    100 * share);
            Assumptions.abort(robbed + ": " + failure.getMessage());
        }
    }

    /** Of all processors together, since the machine's start. See proc_stat(5). */
    private static long[] ticks() {
        try {
            return Arrays.stream(Files.readAllLines(KERNEL).getFirst().split(" +")).skip(1).limit(COLUMNS)
                    .mapToLong(Long::parseLong).toArray();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
