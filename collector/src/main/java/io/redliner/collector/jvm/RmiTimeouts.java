// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.time.Duration;
import java.util.Properties;

/**
 * Bounds of waiting in RMI, which JMX connections are made of. RMI reads them once, from system properties, and none of its
 * interfaces takes them; nothing else in a collector uses RMI. What an operator has set stays. That nobody answers to the
 * connection itself is for the operating system to find, mostly in two minutes.
 */
final class RmiTimeouts {

    private static final String[] NAMES = {
        "sun.rmi.transport.tcp.handshakeTimeout", "sun.rmi.transport.tcp.responseTimeout"};

    private RmiTimeouts() {}

    static void set(Duration patience) {
        Properties properties = System.getProperties();
        for (String name : NAMES) {
            properties.putIfAbsent(name, Long.toString(patience.toMillis()));
        }
    }
}
