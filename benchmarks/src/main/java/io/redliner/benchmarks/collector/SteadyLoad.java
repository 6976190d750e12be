// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Requests at a steady rate over kept-alive connections, and an instance that answers them after a constant time. Each is timed from when it was
 * due, so that a delay is seen by all that had to wait for it.
 */
public final class SteadyLoad implements AutoCloseable {

    private static final int CONNECTIONS = 32;

    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nhost: shop\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".getBytes(
            StandardCharsets.US_ASCII);

    private static final String LENGTH = "content-length: ";

    private static final int BUFFER = 4_096;

    private static final double NANOS = 1e9;

    private final ServerSocket server = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress());

    private @Nullable IOException broken;

    private final long delayNanos;

    private final InstantSource clock;

    /** @param delay that the instance takes for an answer */
    public SteadyLoad(Duration delay, InstantSource clock) throws IOException {
        delayNanos = delay.toNanos();
        this.clock = clock;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    /** Where the instance listens. */
    int upstreamPort() {
        return server.getLocalPort();
    }

    /** Sends so many requests a second to a port for some time; latencies in nanoseconds. */
    public Histogram run(int port, double rate, Duration time) throws IOException, InterruptedException {
        List<Histogram> latencies = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        long begin = nanos();
        long interval = (long) (CONNECTIONS * NANOS / rate);
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            Histogram own = new Histogram(3);
            latencies.add(own);
            long first = begin + connection * interval / CONNECTIONS;
            threads.add(Thread.ofPlatform().start(() -> send(port, first, interval, begin + time.toNanos(), own)));
        }
        Histogram all = new Histogram(3);
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            threads.get(connection).join();
            all.add(latencies.get(connection));
        }
        synchronized (this) {
            if (broken != null) {
                throw broken;
            }
        }
        return all;
    }

    private void send(int port, long first, long interval, long end, Histogram latencies) {
        byte[] buffer = new byte[BUFFER];
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            for (long due = first; due < end; due += interval) {
                for (long left = due - nanos(); left > 0; left = due - nanos()) {
                    LockSupport.parkNanos(left);
                }
                socket.getOutputStream().write(REQUEST);
                readAnswer(socket, buffer);
                latencies.recordValue(nanos() - due);
            }
        } catch (IOException e) {
            synchronized (this) {
                broken = e;
            }
        }
    }

    /** The body is shorter than ten bytes. */
    private static void readAnswer(Socket socket, byte[] buffer) throws IOException {
        int filled = 0;
        while (!isWhole(new String(buffer, 0, filled, StandardCharsets.US_ASCII))) {
            int read = socket.getInputStream().read(buffer, filled, buffer.length - filled);
            if (read <= 0) {
                throw new EOFException("the proxy closed a connection");
            }
            filled += read;
        }
    }

    private static boolean isWhole(String answer) {
        int head = answer.indexOf("\r\n\r\n");
        int length = answer.indexOf(LENGTH);
        return head >= 0 && length >= 0
                && answer.length() == head + 4 + Character.digit(answer.charAt(length + LENGTH.length()), 10);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                connection.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> answer(connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    /** A request comes in one piece, for the proxy sends it so. */
    private void answer(Socket connection) {
        byte[] buffer = new byte[BUFFER];
        try (connection) {
            while (connection.getInputStream().read(buffer) > 0) {
                long due = nanos() + delayNanos;
                for (long left = delayNanos; left > 0; left = due - nanos()) {
                    LockSupport.parkNanos(left);
                }
                connection.getOutputStream().write(ANSWER);
            }
        } catch (IOException e) {
            // The proxy closed it.
        }
    }

    private long nanos() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
