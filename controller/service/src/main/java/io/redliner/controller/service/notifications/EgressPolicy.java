// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which addresses messages may be sent to: the controller is inside a network, and a plan's author may be
 * outside. Ranges are those of IANA's special-purpose registries (RFC 6890).
 */
final class EgressPolicy {

    /** Where clouds keep credentials, when not at a link-local address: AWS by IPv6, Alibaba, Oracle. */
    private static final Set<String> METADATA = Set.of("fd00:ec2:0:0:0:0:0:254", "100.100.100.200", "192.0.0.192");

    private EgressPolicy() {}

    /**
     * Returns why nothing is sent to the address, as text; empty when it is allowed.
     *
     * @param privateAllowed loopback and private networks are fine; link-local, where clouds keep credentials, never is
     */
    static Optional<String> objection(InetAddress address, boolean privateAllowed) {
        InetAddress plain = embedded(address);
        if (plain.isLinkLocalAddress() || METADATA.contains(plain.getHostAddress())) {
            return Optional.of("link-local or of a cloud's metadata");
        }
        if (plain.isAnyLocalAddress() || plain.isMulticastAddress() || reserved(plain)) {
            return Optional.of("no address of a host");
        }
        if (privateAllowed) {
            return Optional.empty();
        }
        if (plain.isLoopbackAddress()) {
            return Optional.of("loopback");
        }
        return plain.isSiteLocalAddress() || inner(plain) ? Optional.of("private") : Optional.empty();
    }

    /**
     * Unwraps an IPv4 address that is embedded in an IPv6 address: NAT64 (64:ff9b::/96), 6to4 (2002::/16) and compatible (::/96).
     */
    private static InetAddress embedded(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != 16) {
            return address;
        }
        if (number(bytes, 0) == 0x2002) {
            return four(address, bytes, 2);
        }
        boolean nat64 = number(bytes, 0) == 0x64 && number(bytes, 2) == 0xff9b && zeros(bytes, 4, 12);
        boolean compatible = zeros(bytes, 0, 12) && number(bytes, 12) != 0;
        return nat64 || compatible ? four(address, bytes, 12) : address;
    }

    private static InetAddress four(InetAddress otherwise, byte[] bytes, int from) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4));
        } catch (UnknownHostException impossible) {
            return otherwise;
        }
    }

    private static boolean reserved(InetAddress address) {
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xff;
        return address instanceof Inet4Address && (first == 0 || first >= 240);
    }

    /** Carriers' and test networks of IPv4, unique local addresses and unused blocks of IPv6. */
    private static boolean inner(InetAddress address) {
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        if (address instanceof Inet4Address) {
            boolean carrier = first == 100 && second >= 64 && second < 128;
            boolean benchmark = first == 198 && (second == 18 || second == 19);
            boolean protocol = first == 192 && second == 0 && bytes[2] == 0;
            return carrier || benchmark || protocol;
        }
        return (first & 0xfe) == 0xfc || (first & 0xe0) != 0x20;
    }

    private static int number(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    private static boolean zeros(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] != 0) {
                return false;
            }
        }
        return true;
    }
}
