// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes one connection on to a server, and cuts it after so many bytes. */
final class CutConnection implements AutoCloseable {

    private final ServerSocket listener;

    private final int serverPort;

    private final int bytes;

    CutConnection(int serverPort, int bytes) throws IOException {
        this.serverPort = serverPort;
        this.bytes = bytes;
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::pass);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void pass() {
        try (Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            Thread.ofVirtual().start(() -> answers(server, client));
            byte[] buffer = new byte[8_192];
            int left = bytes;
            while (left > 0) {
                int read = client.getInputStream().read(buffer, 0, Math.min(left, buffer.length));
                if (read < 0) {
                    return;
                }
                server.getOutputStream().write(buffer, 0, read);
                left -= read;
            }
        } catch (IOException e) {
            // One of the two ends is closed: that is what this is for.
        }
    }

    private static void answers(Socket server, Socket client) {
        try {
            server.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // Cut.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
