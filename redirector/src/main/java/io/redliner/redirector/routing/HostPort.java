// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import com.google.common.net.InetAddresses;
import io.redliner.contract.address.InstanceAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An IP address and a port. Names are not resolved: the proxy reports instances by IP, and both sides must agree.
 *
 * @param host IPv4 or IPv6 literal, without brackets; kept in its canonical form
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {

    private static final Pattern TEXT = Pattern
            .compile("(?:\\[(?<six>[^]]*)]|(?<four>[^:\\[\\]]*)):(?<port>[0-9]{1,5})");

    private static final int MAX_PORT = 65_535;

    public HostPort {
        if (!InetAddresses.isInetAddress(host) || host.indexOf('%') >= 0) {
            throw new IllegalArgumentException(
                    "'" + host + "' is not an IP address (host names are not resolved, write the IP)");
        }
        host = InstanceAddress.canonicalHost(host);
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is outside 1 to " + MAX_PORT);
        }
    }

    /**
     * Reads {@code 127.0.0.1:9001} or {@code [::1]:9001}.
     *
     * @throws IllegalArgumentException when it is anything else
     */
    public static HostPort parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an address like 127.0.0.1:9001 or [::1]:9001");
        }
        String six = matcher.group("six");
        return new HostPort(six == null ? matcher.group("four") : six, Integer.parseInt(matcher.group("port")));
    }

    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
