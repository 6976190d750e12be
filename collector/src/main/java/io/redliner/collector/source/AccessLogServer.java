// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Listens for the access logs of the proxies: Envoy's gRPC access log service, version 3. */
public final class AccessLogServer implements AutoCloseable {

    private static final long PATIENCE_MILLIS = 500;

    private final Server server;

    private AccessLogServer(Server server) {
        this.server = server;
    }

    /**
     * Begins to listen.
     *
     * @throws AccessLogPortInUseException when that cannot be done
     */
    static AccessLogServer start(AccessLogProperties properties, BindableService service) {
        Server server = NettyServerBuilder
                .forAddress(new InetSocketAddress(properties.address(), properties.port()))
                .keepAliveTime(properties.keepAlive().toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(properties.keepAlive().toMillis(), TimeUnit.MILLISECONDS).addService(service)
                .build();
        try {
            return new AccessLogServer(server.start());
        } catch (IOException e) {
            throw new AccessLogPortInUseException(properties, e);
        }
    }

    /** The TCP port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** Whether it listens. */
    public boolean isListening() {
        return !server.isShutdown();
    }

    /** Stops listening and breaks the streams. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
