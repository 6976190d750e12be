// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** TCP ports of the loopback interface. */
public final class FreePort {

    private FreePort() {}

    /** A port that nobody listened on at the time of the call. */
    public static int next() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No free TCP port on the loopback interface", e);
        }
    }

    /**
     * Makes sure that a port which the user asked for can be listened on.
     *
     * @param purpose what the port is for, for the message
     * @throws PortInUseException when something listens there already
     */
    public static void require(String purpose, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new PortInUseException(purpose, port, e);
        }
    }
}
