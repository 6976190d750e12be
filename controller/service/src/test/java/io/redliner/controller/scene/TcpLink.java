// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Forwards TCP connections on the loopback interface to a port, and can be cut or held for those that come through it. */
public final class TcpLink implements AutoCloseable {

    private final ServerSocket server;

    private final int target;

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger refused = new AtomicInteger();

    private volatile boolean cut;

    private volatile CountDownLatch gate = new CountDownLatch(0);

    /** @param target a port of the loopback interface */
    public TcpLink(int target) {
        this.target = target;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Where to connect to. */
    public int port() {
        return server.getLocalPort();
    }

    /** Ends all connections, and each new one at once. */
    public void cut() {
        cut = true;
        open.forEach(TcpLink::end);
    }

    /** How many came while it was cut. */
    public int refused() {
        return refused.get();
    }

    /** Nothing is forwarded until it is mended, and nothing fails: the other side seems to hang. */
    public void hold() {
        gate = new CountDownLatch(1);
    }

    /** All is forwarded again. */
    public void mend() {
        cut = false;
        gate.countDown();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                if (cut) {
                    refused.incrementAndGet();
                    end(caller);
                } else {
                    Socket callee = new Socket(InetAddress.getLoopbackAddress(), target);
                    Thread.ofVirtual().start(() -> copy(caller, callee));
                    Thread.ofVirtual().start(() -> copy(callee, caller));
                }
            } catch (IOException closed) {
                end(server);
            }
        }
    }

    private void copy(Socket from, Socket to) {
        open.add(from);
        try {
            byte[] some = new byte[8192];
            for (int read = from.getInputStream().read(some); read >= 0; read = from.getInputStream().read(some)) {
                gate.await();
                to.getOutputStream().write(some, 0, read);
            }
        } catch (IOException | InterruptedException ended) {
            // One side ends both.
        } finally {
            open.remove(from);
            end(from);
            end(to);
        }
    }

    private static void end(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        end(server);
        open.forEach(TcpLink::end);
    }
}
