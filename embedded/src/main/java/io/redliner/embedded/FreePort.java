// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free TCP ports of the loopback interface. */
public final class FreePort {

    /** Below the ports that systems give to connections, which come and go: Linux begins at 32768. */
    private static final int MIN_PORT = 20_000;

    private static final int MAX_PORT = 32_000;

    private static final int ATTEMPTS = 1_000;

    /** Ports that this process was given. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    /**
     * The file with the locks of all processes of one user. Each process locks the bytes whose positions are the ports that it
     * was given.
     */
    private static final Path LOCKS = Path.of(System.getProperty("java.io.tmpdir"),
            "redliner-ports-" + System.getProperty("user.name"));

    /** The channel on the file, open as long as the process lives: its locks end with it, also when it is killed. */
    private static final FileChannel CHANNEL = openLocks();

    private FreePort() {}

    private static FileChannel openLocks() {
        try {
            return FileChannel.open(LOCKS, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + LOCKS, e);
        }
    }

    /**
     * Returns a port that nothing listened on at the time of the call, and another one each time, also in other processes as long
     * as this one lives. The operating system gives such a port neither to a connection nor to a listener on port 0. It stays free
     * until it is used, unless a program that does not use this class listens on it.
     */
    public static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(MIN_PORT, MAX_PORT);
            if (isFree(port) && lock(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free TCP port on the loopback interface between " + MIN_PORT + " and "
                + MAX_PORT + ": " + ATTEMPTS + " of them were tried");
    }

    /**
     * Takes a port that an earlier process was given: from now on {@link #next()} gives it to nobody, as long as this process
     * lives.
     *
     * @return false when something listens there, or another process has the port
     */
    public static boolean take(int port) {
        return isFree(port) && reserve(port);
    }

    /**
     * Like {@link #take}, also when something listens there, such as a proxy that an earlier process left.
     *
     * @return false when another process has the port
     */
    public static boolean reserve(int port) {
        return GIVEN.contains(port) || lock(port);
    }

    /** Returns false when this process or another one has the port. */
    private static boolean lock(int port) {
        if (!GIVEN.add(port)) {
            return false;
        }
        try {
            if (CHANNEL.tryLock(port, 1, false) != null) {
                return true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot lock " + LOCKS, e);
        }
        GIVEN.remove(port);
        return false;
    }

    /**
     * Checks that a port which the user chose can be listened on.
     *
     * @param purpose what the port is for, for the message
     * @throws PortInUseException when something listens there already
     */
    public static void require(String purpose, int port) {
        try {
            bind(port);
        } catch (IOException e) {
            throw new PortInUseException(purpose, port, e);
        }
    }

    /** Returns whether nothing listens on the port at the time of the call. */
    private static boolean isFree(int port) {
        try {
            bind(port);
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /**
     * Fails when something listens on the port. It does not listen itself: a process that is started at the same time inherits the
     * socket for some milliseconds, and would keep others from listening there.
     */
    private static void bind(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
    }

    /** Thrown when another process listens on the chosen port. */
    static final class PortInUseException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        PortInUseException(String purpose, int port, Throwable cause) {
            super("Port " + port + " for the " + purpose + " is in use: end the process that listens there, or choose"
                    + " another port", cause);
        }
    }
}
