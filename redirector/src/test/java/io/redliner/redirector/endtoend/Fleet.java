// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Instances that answer with their own address; on {@code /slow} after a fifth of a second. A thread for each connection. */
final class Fleet implements AutoCloseable {

    private static final int SLOW_MILLIS = 200;

    private static final int BACKLOG = 128;

    private final Set<String> broken = ConcurrentHashMap.newKeySet();

    private final List<ServerSocket> servers = new ArrayList<>();

    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Fleet(int size) {
        for (int i = 0; i < size; i++) {
            servers.add(start());
        }
    }

    private ServerSocket start() {
        try {
            ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            threads.execute(() -> accept(server));
            return server;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private void accept(ServerSocket server) {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                threads.execute(() -> serve(connection, address(server)));
            }
        } catch (SocketException closed) {
            return;
        } catch (IOException broke) {
            throw new UncheckedIOException(broke);
        }
    }

    private void serve(Socket connection, String self) {
        try (connection) {
            connection.setTcpNoDelay(true);
            BufferedReader requests = new BufferedReader(
                    new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String start = requests.readLine(); start != null; start = requests.readLine()) {
                skipHeaders(requests);
                if (start.split(" ", 3)[1].equals("/slow")) {
                    CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(SLOW_MILLIS,
                            TimeUnit.MILLISECONDS, threads)).join();
                }
                String status = broken.contains(self) ? "500 Broken" : "200 OK";
                connection.getOutputStream().write(("HTTP/1.1 " + status + "\r\ncontent-length: " + self.length()
                        + "\r\n\r\n" + self).getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (SocketException gone) {
            // The proxy or the fleet ended the connection.
            return;
        } catch (IOException broke) {
            throw new UncheckedIOException(broke);
        } finally {
            connections.remove(connection);
        }
    }

    /** No test sends a body. */
    private static void skipHeaders(BufferedReader requests) throws IOException {
        for (String header = requests.readLine(); header != null && !header.isEmpty(); header = requests.readLine()) {
            if (header.toLowerCase(java.util.Locale.ROOT).startsWith("transfer-encoding:")) {
                throw new IOException("a request with a body");
            }
        }
    }

    /** From now on the instance answers with status 500. */
    void breakDown(String address) {
        broken.add(address);
    }

    /** As {@code host:port}. */
    List<String> addresses() {
        return servers.stream().map(Fleet::address).toList();
    }

    private static String address(ServerSocket server) {
        return "127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void close() {
        try {
            for (ServerSocket server : servers) {
                server.close();
            }
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        threads.shutdownNow();
    }
}
