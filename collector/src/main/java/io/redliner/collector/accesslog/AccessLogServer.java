// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollChannelOption;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioChannelOption;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.redliner.collector.concurrent.EventLoops;
import io.redliner.collector.source.ListenerCredentials;
import io.redliner.collector.source.ListenerPortInUseException;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.MetricSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;

/** Listens for the access logs of the proxies: Envoy's gRPC access log service, version 3. */
public final class AccessLogServer implements MetricSource, EventLoops {

    private static final long STOP_TIMEOUT_MILLIS = 500;

    /** The threads that read the streams and count. Counting takes less time than handing the record to another thread. */
    private static final ThreadFactory THREADS = Thread.ofPlatform().name("redliner-collector-proxy-", 0).daemon()
            .factory();

    private static final int MIN_PING_INTERVAL_SECONDS = 10;

    /** Proxies ping more often than gRPC allows by default: it would end their connections after the third ping. */
    private static final int MIN_PROXY_PING_INTERVAL_MILLIS = 100;

    /** Number of unanswered TCP probes after which a proxy counts as disconnected. */
    private static final int PROBES = 2;

    private final Server server;

    private final AccessLogService service;

    private final EventLoopGroup eventLoops;

    private final ListenerCredentials credentials;

    private AccessLogServer(Server server, AccessLogService service, EventLoopGroup eventLoops,
            ListenerCredentials credentials) {
        this.server = server;
        this.credentials = credentials;
        this.service = service;
        this.eventLoops = eventLoops;
    }

    /**
     * Begins to listen.
     *
     * @throws ListenerPortInUseException when that cannot be done
     * @throws io.redliner.collector.source.ListenerCredentials.InvalidListenerTlsException when a certificate or key is of no use
     */
    static AccessLogServer start(AccessLogProperties properties, AccessLogService service) {
        ListenerCredentials credentials = new ListenerCredentials(AccessLogProperties.TLS, properties.tls());
        EventLoopGroup eventLoops = new MultiThreadIoEventLoopGroup(properties.threads(), THREADS,
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        NettyServerBuilder builder = NettyServerBuilder
                .forAddress(new InetSocketAddress(properties.address(), properties.port()), credentials.credentials())
                .bossEventLoopGroup(eventLoops).workerEventLoopGroup(eventLoops).directExecutor()
                .channelType(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .permitKeepAliveTime(MIN_PROXY_PING_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(MIN_PING_INTERVAL_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(properties.keepAlive().toMillis(), TimeUnit.MILLISECONDS).addService(service);
        probe(builder, Math.toIntExact(properties.keepAlive().toSeconds()));
        Server server = builder.build();
        try {
            return new AccessLogServer(server.start(), service, eventLoops, credentials);
        } catch (IOException e) {
            credentials.close();
            stop(eventLoops);
            throw new ListenerPortInUseException("access logs", "redliner.collector.access-log",
                    properties.address(), properties.port(), e);
        }
    }

    /**
     * A proxy that is cut off must not pass for one without traffic. gRPC's own pings, which also notice a proxy that is
     * frozen, cannot be more frequent than one in ten seconds; the probes of TCP can.
     */
    private static void probe(NettyServerBuilder builder, int seconds) {
        builder.withChildOption(ChannelOption.SO_KEEPALIVE, true);
        if (Epoll.isAvailable()) {
            builder.withChildOption(EpollChannelOption.TCP_KEEPIDLE, seconds)
                    .withChildOption(EpollChannelOption.TCP_KEEPINTVL, seconds)
                    .withChildOption(EpollChannelOption.TCP_KEEPCNT, PROBES)
                    .withChildOption(EpollChannelOption.TCP_USER_TIMEOUT, (PROBES + 1) * seconds * 1_000);
        } else {
            builder.withChildOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), seconds)
                    .withChildOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), seconds)
                    .withChildOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), PROBES);
        }
    }

    /** Returns the TCP port that it listens on. */
    public int port() {
        return server.getPort();
    }

    @Override
    public List<Executor> loops() {
        List<Executor> loops = new ArrayList<>();
        eventLoops.forEach(loops::add);
        return loops;
    }

    @Override
    public String name() {
        return "proxy";
    }

    @Override
    public SourceHealth health() {
        Map<String, Object> details = service.details();
        details.put("port", port());
        if (server.isShutdown()) {
            return SourceHealth.dead(details);
        }
        return service.clockOddities().isEmpty() && service.unknownProxies().isEmpty()
                ? SourceHealth.working(details)
                : SourceHealth.impaired(details);
    }

    /** Stops listening and breaks the streams. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(STOP_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stop(eventLoops);
        credentials.close();
    }

    /** Stops the threads. They are daemons: a thread that does not end in time ends with the process. */
    private static void stop(EventLoopGroup eventLoops) {
        eventLoops.shutdownGracefully(0, STOP_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(STOP_TIMEOUT_MILLIS);
    }
}
