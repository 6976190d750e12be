// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IP address in the form of the kernel's tables of sockets: 32-bit words in the machine's byte order. An IPv4 address is the
 * same in the tables of IPv4 and IPv6.
 *
 * @param high the first two words; 0 for IPv4
 * @param low the last two words; for IPv4 {@code ffff} and the address
 */
public record IpAddress(long high, long low) {

    private static final Pattern NUMBERS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F.]*:[0-9a-fA-F.:]*");

    private static final long MAPPED = 0xFFFF_0000_0000L;

    private static final int SHORT_DIGITS = 8;

    private static final int LONG_DIGITS = 32;

    /**
     * Parses the address of an instance, without resolving names.
     *
     * @param host without a port, IPv6 with or without brackets
     * @return empty for a name, and for a wildcard
     */
    public static Optional<IpAddress> of(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        if (!NUMBERS.matcher(bare).matches()) {
            return Optional.empty();
        }
        try {
            byte[] bytes = InetAddress.getByName(bare).getAddress();
            ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
            IpAddress address = bytes.length == 4
                    ? ofIpv4(Integer.toUnsignedLong(words.getInt(0)))
                    : new IpAddress(pair(words, 0), pair(words, 8));
            return address.isWildcard() ? Optional.empty() : Optional.of(address);
        } catch (UnknownHostException e) {
            // 300.1.1.1 has the form of an address and is none.
            return Optional.empty();
        }
    }

    /** Parses the address of a table's row, 8 or 32 hexadecimal digits; empty for anything else. */
    static Optional<IpAddress> parse(String digits) {
        try {
            if (digits.length() == SHORT_DIGITS) {
                return Optional.of(ofIpv4(Long.parseLong(digits, 16)));
            }
            if (digits.length() != LONG_DIGITS) {
                return Optional.empty();
            }
            long high = Long.parseUnsignedLong(digits.substring(0, 16), 16);
            long third = Long.parseLong(digits.substring(16, 24), 16);
            long fourth = Long.parseLong(digits.substring(24), 16);
            // The kernel prints ffff in the machine's byte order.
            boolean mapped = high == 0 && (third == 0xFFFF_0000L || third == 0xFFFFL);
            return Optional.of(mapped ? ofIpv4(fourth) : new IpAddress(high, third << 32 | fourth));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns whether this is the wildcard address, such as 0.0.0.0. */
    public boolean isWildcard() {
        return high == 0 && (low == 0 || low == MAPPED);
    }

    /** Returns whether this is an IPv4 address. */
    private boolean isIpv4() {
        return high == 0 && low >>> 32 == MAPPED >>> 32;
    }

    /**
     * Returns whether a socket that listens on the given address accepts connections to this one. The wildcard of IPv6 covers both
     * families.
     */
    public boolean isServedBy(long listensHigh, long listensLow) {
        boolean all = listensLow == 0 || (listensLow == MAPPED && isIpv4());
        return (high == listensHigh && low == listensLow) || (listensHigh == 0 && all);
    }

    private static IpAddress ofIpv4(long word) {
        return new IpAddress(0, MAPPED | word);
    }

    private static long pair(ByteBuffer words, int at) {
        return Integer.toUnsignedLong(words.getInt(at)) << 32 | Integer.toUnsignedLong(words.getInt(at + 4));
    }
}
