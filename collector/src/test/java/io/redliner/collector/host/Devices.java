// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.host.DeviceInventory.DiskStats;
import io.redliner.collector.host.DeviceInventory.NetworkLink;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/** Devices as a test wants them. */
final class Devices implements DeviceInventory {

    private static final double GIGABIT = 125e6;

    private List<DiskStats> disks = List.of(new DiskStats("sda", 0, 0));

    private List<NetworkLink> links = List.of(new NetworkLink("eth0", true, OptionalDouble.of(GIGABIT)),
            new NetworkLink("veth12", false, OptionalDouble.of(GIGABIT * 10)));

    void disks(DiskStats... some) {
        disks = List.of(some);
    }

    void links(NetworkLink... some) {
        links = List.of(some);
    }

    @Override
    public List<DiskStats> disks(Instant now) {
        return disks;
    }

    @Override
    public List<NetworkLink> links() {
        return links;
    }
}
