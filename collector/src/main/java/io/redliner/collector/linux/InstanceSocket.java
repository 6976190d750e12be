// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host and port on which an instance listens.
 *
 * @param host a name, or an address of IPv4 or IPv6, this one with or without brackets
 * @param port TCP port
 */
public record InstanceSocket(String host, int port) {

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\..*|\\[?::1]?");

    /** Parses host:port; empty for anything else. */
    public static Optional<InstanceSocket> of(String address) {
        int colon = address.lastIndexOf(':');
        String digits = colon < 1 ? "" : address.substring(colon + 1);
        return digits.matches("[0-9]{1,5}")
                ? Optional.of(new InstanceSocket(address.substring(0, colon), Integer.parseInt(digits)))
                : Optional.empty();
    }

    /** Returns the IP address; empty for a name, and for a wildcard. */
    public Optional<IpAddress> address() {
        return IpAddress.of(host);
    }

    /** Returns whether the host is the loopback, which means the machine or the network namespace itself. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    /** Returns whether the address belongs to the namespace. Names and the loopback count as belonging to it. */
    boolean isIn(NetworkTables tables) {
        return isLoopback() || address().map(tables.addresses()::contains).orElse(true);
    }
}
