// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.util.regex.Pattern;

/**
 * The counters of a disk at a moment.
 *
 * @param name such as {@code sda}
 * @param busyMillis for how long it had something to do, since the machine began
 * @param queue requests that it has and has not answered
 */
record DiskStats(String name, long busyMillis, long queue) {

    /** Names of disks in memory, and of disks made of parts of others, which are listed themselves. */
    private static final Pattern VIRTUAL = Pattern.compile("(loop|ram|zram|dm-|md|sr|fd)[0-9]+.*");

    boolean isReal() {
        return !VIRTUAL.matcher(name).matches();
    }
}
