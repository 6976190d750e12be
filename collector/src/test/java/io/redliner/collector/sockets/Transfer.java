// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * One end of a connection, or both, as a process in a network namespace: a server that writes as fast as it may, and a
 * client that reads as fast as it can, or not at all. The server tells its port; both end with their standard input.
 */
final class Transfer {

    private Transfer() {}

    /** {@code serve} and the address to listen on, or {@code read} or {@code stall} and address and port of the server. */
    public static void main(String[] arguments) throws IOException {
        InetAddress address = InetAddress.getByName(arguments[1]);
        if (arguments[0].equals("serve")) {
            try (ServerSocket server = new ServerSocket(0, 1, address)) {
                System.out.println(server.getLocalPort());
                Socket accepted = server.accept();
                Thread.ofPlatform().daemon().start(() -> write(accepted));
                untilTheEnd();
            }
        } else {
            try (Socket client = new Socket(address, Integer.parseInt(arguments[2]))) {
                if (arguments[0].equals("read")) {
                    Thread.ofPlatform().daemon().start(() -> read(client));
                }
                untilTheEnd();
            }
        }
    }

    private static void untilTheEnd() throws IOException {
        while (System.in.read() >= 0) {
            // Nothing is said.
        }
    }

    private static void write(Socket socket) {
        try (OutputStream stream = socket.getOutputStream()) {
            while (!socket.isClosed()) {
                stream.write(new byte[10_000]);
            }
        } catch (IOException e) {
            // The end.
            return;
        }
    }

    private static void read(Socket socket) {
        byte[] buffer = new byte[100_000];
        try (InputStream stream = socket.getInputStream()) {
            while (stream.read(buffer) >= 0) {
                // As fast as it can.
            }
        } catch (IOException e) {
            // The end.
            return;
        }
    }
}
