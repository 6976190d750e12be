// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.address;

import com.google.common.net.InetAddresses;

/** Writes an instance's address in one form, so that all components mean the same instance by the same text. */
public final class InstanceAddress {

    private InstanceAddress() {}

    /**
     * Returns an IP address as proxies write it: IPv6 by RFC 5952, so {@code ::1} for {@code 0:0:0:0:0:0:0:1}.
     *
     * @param host without brackets
     * @return the text itself when it is no IP address
     */
    public static String canonicalHost(String host) {
        return InetAddresses.isInetAddress(host)
                ? InetAddresses.toAddrString(InetAddresses.forString(host))
                : host;
    }

    /**
     * Returns {@code host:port} with brackets around IPv6.
     *
     * @return the text unchanged when it is no such address
     */
    public static String canonical(String hostPort) {
        int colon = hostPort.lastIndexOf(':');
        if (colon <= 0) {
            return hostPort;
        }
        String host = hostPort.substring(0, colon);
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return joined(canonicalHost(bare), hostPort.substring(colon + 1));
    }

    /**
     * Returns the address of a port.
     *
     * @param host without brackets
     */
    public static String of(String host, int port) {
        return joined(canonicalHost(host), Integer.toString(port));
    }

    private static String joined(String host, String port) {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
