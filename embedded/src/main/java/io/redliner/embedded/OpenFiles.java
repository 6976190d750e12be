// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Checks the limit of file descriptors of this process, and of each process that it starts. */
public final class OpenFiles {

    /** A stack at rest has 290 open in its own process; connections of users and of the dashboard, and segments of topics come on top. */
    private static final long MIN_FILES = 1024;

    private OpenFiles() {}

    /**
     * Requires enough file descriptors for a stack. A system that reports no limit passes.
     *
     * @throws IllegalStateException with what to do, when there are not enough
     */
    public static void require() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            require(system.getMaxFileDescriptorCount());
        }
    }

    /** @param limit below 0 when it is not known */
    static void require(long limit) {
        if (limit >= 0 && limit < MIN_FILES) {
            throw new IllegalStateException("A process may have " + limit
                    + " files and connections open here, and RedLiner needs "
                    + MIN_FILES + ": raise the limit, with ulimit -n " + MIN_FILES
                    + " or LimitNOFILE, and start it again");
        }
    }
}
