// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A receiver on the loopback interface that behaves as a test wants it to. */
final class Hook implements AutoCloseable {

    private final ServerSocket server;

    private final ExecutorService threads = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("hook-", 0).factory());

    private final List<Request> requests = new CopyOnWriteArrayList<>();

    private final AtomicInteger connections = new AtomicInteger();

    private volatile Behaviour behaviour = Hook::ok;

    Hook() {
        try {
            this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        Future<?> accepting = threads.submit(this::accept);
        if (accepting.isCancelled()) {
            throw new AssertionError();
        }
    }

    record Request(String path, Map<String, String> headers, String text) {

        @Nullable
        String id() {
            return headers.get("webhook-id");
        }

    }

    /** What it does once it has read a request. */
    interface Behaviour {

        void answer(Request request, Socket socket) throws Exception;
    }

    URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
    }

    void behave(Behaviour other) {
        behaviour = other;
    }

    List<Request> requests() {
        return requests;
    }

    int connections() {
        return connections.get();
    }

    static void ok(Request request, Socket socket) throws IOException {
        write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }

    static Behaviour after(CountDownLatch end, Behaviour behaviour) {
        return (request, socket) -> {
            if (end.await(30, TimeUnit.SECONDS)) {
                behaviour.answer(request, socket);
            }
        };
    }

    static Behaviour status(String line) {
        return (request, socket) -> write(socket, "HTTP/1.1 " + line + "\r\nContent-Length: 0\r\n\r\n");
    }

    static void write(Socket socket, String text) throws IOException {
        OutputStream output = socket.getOutputStream();
        output.write(text.getBytes(StandardCharsets.ISO_8859_1));
        output.flush();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                threads.execute(() -> serve(socket));
            } catch (IOException | RejectedExecutionException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Request request = read(new BufferedInputStream(socket.getInputStream()));
            requests.add(request);
            behaviour.answer(request, socket);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception broken) {
            // The client went away, as it may.
            return;
        }
    }

    private static Request read(InputStream input) throws IOException {
        String path = line(input).split(" ", -1)[1];
        Map<String, String> headers = new ConcurrentHashMap<>();
        for (String line = line(input); !line.isEmpty(); line = line(input)) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        return new Request(path, headers, new String(
                input.readNBytes(Integer.parseInt(headers.get("content-length"))), StandardCharsets.UTF_8));
    }

    private static String line(InputStream input) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new IOException("ended early");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
