// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.time.Instant;
import java.util.List;

/** The devices of the machine. */
interface DeviceInventory {

    /** Its disks as they are now, those that are not real among them. */
    List<DiskStats> disks(Instant now);

    /** Its network interfaces, those that do not lead out among them. */
    List<NetworkLink> links();
}
