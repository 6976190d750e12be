// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The file descriptors that the system gives this process, and each process that it starts. */
public final class OpenFiles {

    /** A stack at rest has 290 open in its own process; connections of users and of the dashboard, and segments of topics come on top. */
    private static final long LEAST = 1024;

    private OpenFiles() {}

    /**
     * Makes sure that there are enough for a stack. Where the system tells no limit, there are.
     *
     * @throws IllegalStateException with what to do, when there are not
     */
    public static void require() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            require(system.getMaxFileDescriptorCount());
        }
    }

    /** @param limit below 0 when it is not known */
    static void require(long limit) {
        if (limit >= 0 && limit < LEAST) {
            throw new IllegalStateException("A process may have " + limit
                    + " files and connections open here, and RedLiner needs "
                    + LEAST + ": raise the limit, with ulimit -n " + LEAST + " or LimitNOFILE, and start it again");
        }
    }
}
