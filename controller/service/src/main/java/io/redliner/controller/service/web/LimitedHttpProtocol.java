// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.security.ClientAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * HTTP with {@link ConnectionLimits}. At its own limit Tomcat stops accepting, so silent connections would keep everybody out;
 * these limits keep it from being reached. The class is public because Tomcat creates it by its name.
 */
public final class LimitedHttpProtocol extends Http11NioProtocol {

    private static final int MAX_CONNECTIONS = 2500;

    /** Percent of the connections that one address may have: behind a proxy all users have one. */
    private static final int PERCENT_PER_ADDRESS = 60;

    /** The connection whose request the thread serves. */
    private static final ThreadLocal<SocketWrapperBase<?>> CURRENT = new ThreadLocal<>();

    public LimitedHttpProtocol() {
        super(new Endpoint());
        setMaxConnections(MAX_CONNECTIONS);
        super.setMaxConnections(-1);
        Endpoint endpoint = (Endpoint) getEndpoint();
        endpoint.setHandler(new ObservingHandler(endpoint.getHandler(), endpoint));
    }

    /** Sets the limits of a protocol that does not serve yet; of {@code server.tomcat.max-connections}, too. */
    @Override
    public void setMaxConnections(int maxConnections) {
        ((Endpoint) getEndpoint()).connectionLimits = new ConnectionLimits<>(maxConnections,
                Math.max(1, maxConnections * PERCENT_PER_ADDRESS / 100), System::nanoTime);
    }

    /** Sets the time after which a connection is closed whose client does not read the answer. */
    void setWriteTimeout(Duration timeout) {
        ((Endpoint) getEndpoint()).writeTimeout = timeout;
    }

    /** Reads from the connection of the present request. */
    interface Reading {

        int read() throws IOException;
    }

    /**
     * Reads with a shorter timeout than the connection has.
     *
     * @throws java.net.SocketTimeoutException when nothing arrived within it
     */
    static int withReadTimeout(Duration timeout, Reading reading) throws IOException {
        SocketWrapperBase<?> connection = CURRENT.get();
        if (connection == null) {
            return reading.read();
        }
        long usual = connection.getReadTimeout();
        connection.setReadTimeout(timeout.toMillis());
        try {
            return reading.read();
        } finally {
            connection.setReadTimeout(usual);
        }
    }

    private static final class Endpoint extends NioEndpoint {

        private static final int MAX_POLLS = 200;

        private static final long POLL_INTERVAL_NANOS = 500_000;

        private volatile @Nullable Duration writeTimeout;

        private volatile ConnectionLimits<SocketWrapperBase<NioChannel>> connectionLimits = new ConnectionLimits<>(1,
                1, System::nanoTime);

        /** Returns false when the new connection is to be closed. */
        @Override
        protected boolean setSocketOptions(SocketChannel channel) {
            String address = address(channel);
            if (!makeRoom(address) || !super.setSocketOptions(channel)) {
                return false;
            }
            SocketWrapperBase<NioChannel> connection = connections.get(channel);
            if (connection != null) {
                connectionLimits.opened(connection, address);
                if (connection.isClosed()) {
                    connectionLimits.closed(connection);
                }
            }
            return true;
        }

        private boolean makeRoom(String address) {
            while (true) {
                ConnectionLimits.Admission<SocketWrapperBase<NioChannel>> admission = connectionLimits.admit(address);
                if (admission.accepted()) {
                    return true;
                }
                SocketWrapperBase<NioChannel> longestWaiting = admission.closed();
                if (longestWaiting == null) {
                    return false;
                }
                close(longestWaiting, address);
            }
        }

        /** A thread that reads the connection's next request holds its lock: then it does not wait any more. */
        private void close(SocketWrapperBase<NioChannel> connection, String address) {
            awaitRegistered(connection.getSocket().getIOChannel());
            Lock lock = connection.getLock();
            if (lock.tryLock()) {
                try {
                    connection.close();
                } finally {
                    lock.unlock();
                }
                connectionLimits.closed(connection);
            } else {
                connectionLimits.busy(connection, address);
            }
        }

        /** A connection that is closed before Tomcat's poller knows it would be a failure of the poller. */
        private static void awaitRegistered(SocketChannel channel) {
            for (int poll = 0; poll < MAX_POLLS && channel.isOpen() && !channel.isRegistered(); poll++) {
                LockSupport.parkNanos(POLL_INTERVAL_NANOS);
            }
        }

        private static String address(SocketChannel channel) {
            try {
                return channel.getRemoteAddress() instanceof InetSocketAddress remote
                        ? ClientAddress.limited(remote.getAddress().getHostAddress())
                        : "";
            } catch (IOException gone) {
                return "";
            }
        }
    }

    /** Reports to the limits which connections wait for a request, and which are closed. */
    private record ObservingHandler(Handler<NioChannel> handler, Endpoint endpoint) implements Handler<NioChannel> {

        @Override
        public SocketState process(SocketWrapperBase<NioChannel> connection, SocketEvent event) {
            ConnectionLimits<SocketWrapperBase<NioChannel>> connectionLimits = endpoint.connectionLimits;
            connectionLimits.busy(connection, ClientAddress.limited(String.valueOf(connection.getRemoteAddr())));
            Duration writeTimeout = endpoint.writeTimeout;
            if (writeTimeout != null) {
                connection.setWriteTimeout(writeTimeout.toMillis());
            }
            SocketState state = processed(connection, event);
            if (state == SocketState.OPEN || (state == SocketState.LONG && !served(connection))) {
                connectionLimits.waiting(connection);
            }
            if (connection.isClosed()) {
                connectionLimits.closed(connection);
            }
            return state;
        }

        private SocketState processed(SocketWrapperBase<NioChannel> connection, SocketEvent event) {
            CURRENT.set(connection);
            try {
                return handler.process(connection, event);
            } finally {
                CURRENT.remove();
            }
        }

        /** Returns whether another thread writes the answer to a request; otherwise some of its headers are missing. */
        private static boolean served(SocketWrapperBase<NioChannel> connection) {
            return connection.getCurrentProcessor() instanceof Processor processor
                    && (processor.isAsync() || processor.isUpgrade());
        }

        @Override
        public Object getGlobal() {
            return handler.getGlobal();
        }

        @Override
        public void release(SocketWrapperBase<NioChannel> connection) {
            endpoint.connectionLimits.closed(connection);
            handler.release(connection);
        }

        @Override
        public void pause() {
            handler.pause();
        }

        @Override
        public void recycle() {
            handler.recycle();
        }
    }
}
