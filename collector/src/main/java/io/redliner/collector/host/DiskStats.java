// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.util.regex.Pattern;

/**
 * A disk at a moment.
 *
 * @param name such as {@code sda}
 * @param busyMillis for how long it had something to do, since the machine began
 * @param queue requests that it has and has not answered
 */
record DiskStats(String name, long busyMillis, long queue) {

    /** In memory, or made of parts of other disks, which are there themselves. */
    private static final Pattern VIRTUAL = Pattern.compile("(loop|ram|zram|dm-|md|sr|fd)[0-9]+.*");

    boolean isReal() {
        return !VIRTUAL.matcher(name).matches();
    }
}
