// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel's files about this machine and the processes of its instances come in. How much of the CPU, the memory,
 * the disks and the network is used, and of what an instance may use, is worked out from one poll to the next. Gauges
 * of each instance go out.
 */
@NullMarked
package io.redliner.collector.host;

import org.jspecify.annotations.NullMarked;
