// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one port, one after the other on one connection, counted by who answered. The client is written by hand: a test
 * sends thousands of requests, and the JDK's client hands each one from thread to thread.
 */
final class Traffic implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 5_000;

    private record Response(int status, String body) {}

    private final int port;

    private @Nullable Socket socket;

    private InputStream input = InputStream.nullInputStream();

    Traffic(int port) {
        this.port = port;
    }

    /** The fraction of the requests that this instance answered; fails when one is not answered with 200. */
    double shareOf(String instance, int requests) {
        return (double) send(requests).getOrDefault(instance, 0) / requests;
    }

    Map<String, Integer> send(int requests) {
        Map<String, Integer> answers = new TreeMap<>();
        for (int i = 0; i < requests; i++) {
            answers.merge(once(), 1, Integer::sum);
        }
        return answers;
    }

    /** Who answers; fails when nobody does, with 200. */
    String once() {
        return at("/");
    }

    /** Who answers a request with this header. */
    String withHeader(String name, String value) {
        return with("GET", "/", Map.of(name, value));
    }

    /** Who answers a request for this path, query included. */
    String at(String path) {
        return with("GET", path, Map.of());
    }

    /** Who answers such a request. */
    String with(String method, String path, Map<String, String> headers) {
        Response response = respond(method, path, headers);
        if (response.status() != 200) {
            throw new AssertionError("status " + response.status() + ": " + response.body());
        }
        return response.body();
    }

    /** The status of an answer, whichever it is. */
    int status() {
        return respond("GET", "/", Map.of()).status();
    }

    private synchronized Response respond(String method, String path, Map<String, String> headers) {
        StringBuilder request = new StringBuilder(method).append(' ').append(path)
                .append(" HTTP/1.1\r\nhost: demo\r\n");
        headers.forEach((name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        request.append(method.equals("GET") ? "\r\n" : "content-length: 0\r\n\r\n");
        byte[] bytes = request.toString().getBytes(StandardCharsets.ISO_8859_1);
        try {
            Socket open = socket;
            if (open != null && begins(open, bytes)) {
                return read();
            }
            // The proxy closed an idle connection: the request goes out on a new one, once, as every client does.
            if (!begins(connect(), bytes)) {
                throw new EOFException("no answer");
            }
            return read();
        } catch (IOException unanswered) {
            close();
            throw new UncheckedIOException(unanswered);
        }
    }

    private Socket connect() throws IOException {
        close();
        Socket fresh = new Socket(InetAddress.getLoopbackAddress(), port);
        fresh.setTcpNoDelay(true);
        fresh.setSoTimeout(TIMEOUT_MILLIS);
        input = new BufferedInputStream(fresh.getInputStream());
        socket = fresh;
        return fresh;
    }

    /** Sends a request; whether an answer begins, and not the end of the connection. */
    private boolean begins(Socket open, byte[] request) throws IOException {
        try {
            open.getOutputStream().write(request);
            input.mark(1);
            if (input.read() < 0) {
                return false;
            }
            input.reset();
            return true;
        } catch (java.net.SocketException closed) {
            return false;
        }
    }

    private Response read() throws IOException {
        String start = line();
        int length = -1;
        boolean last = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring("content-length:".length()).strip());
            } else if (lower.startsWith("connection:") && lower.endsWith("close")) {
                last = true;
            }
        }
        if (length < 0) {
            throw new IOException("an answer without a length: " + start);
        }
        byte[] body = input.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("half an answer: " + start);
        }
        if (last) {
            close();
        }
        return new Response(Integer.parseInt(start.split(" ", 3)[1]), new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("half an answer: " + line);
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Four and a half standard deviations of a measured fraction, plus what round robin rounds. */
    static double bound(double share, int requests) {
        return 4.5 * Math.sqrt(share * (1 - share) / requests) + 1.0 / requests;
    }

    @Override
    public synchronized void close() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }
    }
}
