// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/** Devices as a test wants them. */
final class Devices implements Hardware {

    private static final double GIGABIT = 125e6;

    private List<Disk> disks = List.of(new Disk("sda", 0, 0));

    private List<Link> links = List.of(new Link("eth0", true, OptionalDouble.of(GIGABIT)),
            new Link("veth12", false, OptionalDouble.of(GIGABIT * 10)));

    void disks(Disk... some) {
        disks = List.of(some);
    }

    void links(Link... some) {
        links = List.of(some);
    }

    @Override
    public List<Disk> disks(Instant now) {
        return disks;
    }

    @Override
    public List<Link> links() {
        return links;
    }
}
