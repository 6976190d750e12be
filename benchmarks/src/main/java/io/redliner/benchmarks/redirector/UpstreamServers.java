// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Instances that answer each request with their own number, and do nothing else. */
final class UpstreamServers implements AutoCloseable {

    private static final int BACKLOG = 64;

    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final List<ServerSocket> servers = new ArrayList<>();

    /** @param size at most ten, so that a number is one digit */
    UpstreamServers(int size) throws IOException {
        for (int i = 0; i < size; i++) {
            var server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            servers.add(server);
            byte[] answer = ("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n" + i).getBytes(StandardCharsets.US_ASCII);
            Thread.ofVirtual().start(() -> accept(server, answer));
        }
    }

    /** As {@code host:port}. */
    List<String> addresses() {
        return servers.stream().map(server -> "127.0.0.1:" + server.getLocalPort()).toList();
    }

    private static void accept(ServerSocket server, byte[] answer) {
        while (!server.isClosed()) {
            try {
                var connection = server.accept();
                connection.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> serve(connection, answer));
            } catch (SocketException closing) {
                return;
            } catch (IOException broken) {
                System.err.println("an instance cannot accept: " + broken);
            }
        }
    }

    /** Requests have no body and come one after the other, so the end of the head is the end of what is there. */
    private static void serve(Socket connection, byte[] answer) {
        byte[] buffer = new byte[8_192];
        int filled = 0;
        try (connection) {
            while (true) {
                int read = connection.getInputStream().read(buffer, filled, buffer.length - filled);
                if (read <= 0) {
                    return;
                }
                filled += read;
                if (endsHead(buffer, filled)) {
                    connection.getOutputStream().write(answer);
                    filled = 0;
                }
            }
        } catch (IOException gone) {
            // The proxy closes idle connections as it likes.
        }
    }

    private static boolean endsHead(byte[] buffer, int filled) {
        return filled >= END.length
                && java.util.Arrays.equals(buffer, filled - END.length, filled, END, 0, END.length);
    }

    @Override
    public void close() throws IOException {
        for (var server : servers) {
            server.close();
        }
    }
}
