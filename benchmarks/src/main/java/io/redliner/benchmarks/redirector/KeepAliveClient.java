// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One HTTP/1.1 connection to the proxy, for one request at a time. For one thread. */
final class KeepAliveClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 5_000;

    private static final int STATUS_BEGIN = 9;

    private static final int STATUS_END = 12;

    private final Socket socket;

    private final InputStream input;

    private final OutputStream output;

    private final byte[] buffer = new byte[8_192];

    KeepAliveClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        input = socket.getInputStream();
        output = socket.getOutputStream();
    }

    /** A request for the root with these header lines, each ended. */
    static byte[] request(String headers) {
        return ("GET / HTTP/1.1\r\nhost: demo\r\n" + headers + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Which instance answers.
     *
     * @throws IOException when none does, with 200 and its number
     */
    int ask(byte[] request) throws IOException {
        output.write(request);
        int filled = 0;
        int head = -1;
        while (head < 0 || filled <= head) {
            int read = input.read(buffer, filled, buffer.length - filled);
            if (read <= 0) {
                throw new EOFException("the proxy closed a connection");
            }
            filled += read;
            head = head < 0 ? endOfHead(filled) : head;
        }
        if (!"200".equals(new String(buffer, STATUS_BEGIN, STATUS_END - STATUS_BEGIN, StandardCharsets.US_ASCII))
                || filled != head + 1) {
            throw new IOException("the proxy answers " + new String(buffer, 0, filled, StandardCharsets.US_ASCII));
        }
        return buffer[head] - '0';
    }

    /** Where the body begins, or -1. */
    private int endOfHead(int filled) {
        for (int i = 3; i < filled; i++) {
            if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n' && buffer[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
