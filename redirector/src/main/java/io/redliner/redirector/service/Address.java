// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.service;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An IP address and a port. Names are not resolved: the proxy reports instances by IP, and both sides must agree.
 *
 * @param host IPv4 or IPv6 literal, without brackets
 * @param port 1 to 65535
 */
public record Address(String host, int port) {

    private static final Pattern TEXT = Pattern
            .compile("(?:\\[(?<six>[^]]*)]|(?<four>[^:\\[\\]]*)):(?<port>[0-9]{1,5})");

    private static final Pattern IPV4 = Pattern
            .compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

    private static final int MAX_PORT = 65_535;

    public Address {
        host = host.toLowerCase(Locale.ROOT);
        if (!IPV4.matcher(host).matches() && !isIpv6(host)) {
            throw new IllegalArgumentException(
                    "'" + host + "' is not an IP address (host names are not resolved, write the IP)");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is outside 1 to " + MAX_PORT);
        }
    }

    /**
     * Reads {@code 127.0.0.1:9001} or {@code [::1]:9001}.
     *
     * @throws IllegalArgumentException when it is anything else
     */
    public static Address parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an address like 127.0.0.1:9001 or [::1]:9001");
        }
        String six = matcher.group("six");
        return new Address(six == null ? matcher.group("four") : six, Integer.parseInt(matcher.group("port")));
    }

    private static boolean isIpv6(String host) {
        if (host.indexOf(':') < 0 || host.indexOf('%') >= 0) {
            return false;
        }
        try {
            // In brackets it is a literal or an error, and never a question to the DNS.
            return InetAddress.getByName("[" + host + "]") != null;
        } catch (UnknownHostException notAnAddress) {
            return false;
        }
    }

    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
