// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.redliner.contract.address.InstanceAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Addresses of instances as host:port; each text is built once. For one thread. */
final class InstanceAddressCache {

    private static final int MAX_HOSTS = 10_000;

    private final Map<String, Ports> byHost = new HashMap<>();

    /** Returns the address as host:port; empty when it cannot be an instance's. */
    String name(Address address) {
        if (!address.hasSocketAddress()) {
            return address.getPipe().getPath();
        }
        SocketAddress socket = address.getSocketAddress();
        String host = socket.getAddress();
        int port = socket.getPortValue();
        if (host.isEmpty() || port <= 0) {
            return "";
        }
        Ports ports = byHost.get(host);
        if (ports == null) {
            if (byHost.size() >= MAX_HOSTS) {
                // The proxy reports very many hosts over one stream. The cache begins anew instead of growing.
                byHost.clear();
            }
            ports = new Ports();
            byHost.put(host, ports);
        }
        return ports.name(host, port);
    }

    /** The ports of one host, mostly one. */
    private static final class Ports {

        private static final int MAX_PORTS = 64;

        private int[] ports = new int[1];

        private String[] names = new String[]{""};

        private int size;

        String name(String host, int port) {
            for (int index = 0; index < size; index++) {
                if (ports[index] == port) {
                    return names[index];
                }
            }
            return add(port, InstanceAddress.of(host, port));
        }

        private String add(int port, String name) {
            if (size == ports.length && size < MAX_PORTS) {
                ports = Arrays.copyOf(ports, 2 * size);
                names = Arrays.copyOf(names, 2 * size);
            }
            if (size < ports.length) {
                ports[size] = port;
                names[size] = name;
                size++;
            }
            return name;
        }
    }
}
