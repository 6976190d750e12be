// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** The devices of the machine. */
interface DeviceInventory {

    /** Returns the disks as they are now, virtual ones included. */
    List<DiskStats> disks(Instant now);

    /** Returns the network interfaces, those that do not lead out of the machine included. */
    List<NetworkLink> links();

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

    /**
     * A network interface of the machine.
     *
     * @param name such as {@code eth0}
     * @param hardware whether there is a device behind it
     * @param speed bytes/s in each direction; empty when it is not known, as with many virtual machines
     */
    record NetworkLink(String name, boolean hardware, OptionalDouble speed) {

        /** Names of interfaces between the containers and processes of this machine, or on top of another interface. */
        private static final Pattern INNER = Pattern
                .compile("(lo|veth|docker|br-|virbr|cni|flannel|cali|cilium|lxc|lxd|"
                        + "vnet|tun|tap|wg|dummy|ifb|kube|nodelocaldns|bond|team|vxlan|geneve|ip6tnl|sit|gre|ip_vti|podman|vmnet)"
                        + ".*|.*[.@:].*");

        NetworkLink withSpeed(double bytesPerSecond) {
            return new NetworkLink(name, hardware, OptionalDouble.of(bytesPerSecond));
        }

        /**
         * Returns the interfaces that lead out of the machine. Where there is hardware, all traffic goes over it. A container has
         * none; there the names decide.
         */
        static List<NetworkLink> outward(List<NetworkLink> all) {
            boolean hardware = all.stream().anyMatch(NetworkLink::hardware);
            return all.stream().filter(link -> hardware ? link.hardware : !INNER.matcher(link.name).matches()).toList();
        }
    }
}
