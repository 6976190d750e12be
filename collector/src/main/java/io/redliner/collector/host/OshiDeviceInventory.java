// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.host.DeviceInventory.DiskStats;
import io.redliner.collector.host.DeviceInventory.NetworkLink;
import io.redliner.collector.linux.IntervalTimer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.spi.SystemInfoFactory;
import oshi.util.GlobalConfig;

/** The devices that OSHI finds. Where only oshi-common is on the class path, as it is by default, it needs no native code. */
final class OshiDeviceInventory implements DeviceInventory {

    /** The interval at which disks are searched: they come and go seldom, and a search is expensive. */
    private static final Duration SEARCH = Duration.ofMinutes(1);

    /** No link is faster, in bit/s; drivers that know nothing report 4294967295 Mbit/s. */
    private static final double MAX_BITS_PER_SECOND = 1e13;

    /** The speed that the driver of containers' links (veth) reports of each, whatever it carries, in bit/s. */
    private static final double VIRTUAL_BITS_PER_SECOND = 1e10;

    private final Path root;

    private final OptionalDouble linkSpeed;

    private final HardwareAbstractionLayer hardware;

    private final IntervalTimer searchTimer = new IntervalTimer();

    private List<HWDiskStore> stores = List.of();

    /**
     * Creates an inventory.
     *
     * @param linkSpeed bytes/s of a link whose speed the kernel does not know; empty when nobody knows it
     */
    OshiDeviceInventory(Path root, OptionalDouble linkSpeed) {
        this.root = root;
        this.linkSpeed = linkSpeed;
        if (!root.equals(Path.of("/"))) {
            GlobalConfig.set("oshi.util.proc.path", root.resolve("proc").toString());
            GlobalConfig.set("oshi.util.sys.path", root.resolve("sys").toString());
        }
        hardware = SystemInfoFactory.create().getHardware();
    }

    @Override
    public List<DiskStats> disks(Instant now) {
        if (searchTimer.due(now, SEARCH)) {
            stores = hardware.getDiskStores();
        } else {
            // One that is gone fails to, and stays as it was until the next search: idle.
            stores.forEach(HWDiskStore::updateAttributes);
        }
        return stores.stream()
                .map(store -> new DiskStats(store.getName().substring(store.getName().lastIndexOf('/') + 1),
                        store.getTransferTime(), store.getCurrentQueueLength()))
                .toList();
    }

    @Override
    public List<NetworkLink> links() {
        return hardware.getNetworkIFs().stream().map(this::link).toList();
    }

    private NetworkLink link(NetworkIF found) {
        double bits = found.getSpeed();
        boolean hardware = Files.exists(root.resolve("sys/class/net/" + found.getName() + "/device"));
        boolean known = bits > 0 && bits < MAX_BITS_PER_SECOND && (hardware || bits != VIRTUAL_BITS_PER_SECOND);
        return new NetworkLink(found.getName(), hardware, known ? OptionalDouble.of(bits / 8) : linkSpeed);
    }
}
