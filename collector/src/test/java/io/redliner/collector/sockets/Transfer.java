// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A process with a server that writes as fast as it may and a client that reads as fast as it can, at an address of its
 * network namespace. It tells its port, and ends with its standard input.
 */
final class Transfer {

    private Transfer() {}

    /** The address. */
    public static void main(String[] arguments) throws IOException {
        InetAddress address = InetAddress.getByName(arguments[0]);
        try (ServerSocket server = new ServerSocket(0, 1, address);
                Socket client = new Socket(address, server.getLocalPort());
                Socket accepted = server.accept()) {
            Thread.ofPlatform().daemon().start(() -> write(accepted));
            Thread.ofPlatform().daemon().start(() -> read(client));
            System.out.println(server.getLocalPort());
            while (System.in.read() >= 0) {
                // Until its end.
            }
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
