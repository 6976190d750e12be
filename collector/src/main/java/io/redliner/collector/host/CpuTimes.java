// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

/**
 * How one or several cores spent their time since the machine began, in hundredths of a second.
 *
 * @param busy at work, for the system, users and guests
 * @param idle with nothing to do, or nothing but to wait for a disk
 * @param steal while the hypervisor gave the core to others
 */
record CpuTimes(long busy, long idle, long steal) {

    static final CpuTimes NONE = new CpuTimes(0, 0, 0);

    CpuTimes plus(CpuTimes other) {
        return new CpuTimes(busy + other.busy, idle + other.idle, steal + other.steal);
    }
}
