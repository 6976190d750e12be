// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.time.Instant;
import java.util.List;

/** The devices of the machine. */
interface DeviceInventory {

    /** Returns the disks as they are now, virtual ones included. */
    List<DiskStats> disks(Instant now);

    /** Returns the network interfaces, those that do not lead out of the machine included. */
    List<NetworkLink> links();
}
