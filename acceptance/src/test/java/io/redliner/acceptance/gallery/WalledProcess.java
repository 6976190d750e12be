// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running server with a wall. */
final class WalledProcess implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(1);

    private final Process process;

    private final List<Closeable> needed;

    /** @param needed what it uses, and is closed after it */
    WalledProcess(List<String> command, List<Closeable> needed) throws IOException {
        this.process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT).start();
        this.needed = List.copyOf(needed);
    }

    /** Waits until it listens on loopback. */
    void awaitListening(int port) {
        awaitListening(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Waits until it listens. */
    void awaitListening(InetSocketAddress address) {
        await("a server at " + address).atMost(START).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("ended with " + process.exitValue());
            }
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                return socket.isConnected();
            } catch (IOException refused) {
                return false;
            }
        });
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).exceptionally(late -> process.destroyForcibly()).join();
        for (Closeable each : needed) {
            each.close();
        }
    }
}
