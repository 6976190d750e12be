// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The addresses of clients. */
public final class ClientAddress {

    private static final int IPV6_LENGTH = 16;

    private static final int NETWORK_LENGTH = 8;

    private static final Pattern IPV4 = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");

    private static final List<String> FORWARDING = List.of("Forwarded", "X-Forwarded-For", "X-Real-IP");

    private ClientAddress() {}

    /** Returns the address that limits are kept for. For IPv6 it is the 64-bit network, all of which one machine can use. */
    static String limited(HttpServletRequest request) {
        return limited(request.getRemoteAddr());
    }

    /** Returns the address that limits are kept for, of an address as text. */
    public static String limited(String address) {
        return parse(address).map(InetAddress::getAddress)
                .filter(bytes -> bytes.length == IPV6_LENGTH)
                .map(bytes -> HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_LENGTH)) + "/64")
                .orElse(address);
    }

    /** Returns true when the request comes from this machine, and not through a proxy on it. */
    static boolean local(HttpServletRequest request) {
        return FORWARDING.stream().allMatch(name -> request.getHeader(name) == null)
                && loopback(request.getRemoteAddr())
                && loopback(request.getLocalAddr());
    }

    static boolean loopback(String literal) {
        return parse(literal).map(InetAddress::isLoopbackAddress).orElse(false);
    }

    /** Parses a literal address; a host name is not one, because it would have to be resolved. */
    private static Optional<InetAddress> parse(String literal) {
        try {
            return literal.contains(":") || IPV4.matcher(literal).matches()
                    ? Optional.of(InetAddress.getByName(literal))
                    : Optional.empty();
        } catch (UnknownHostException none) {
            return Optional.empty();
        }
    }
}
