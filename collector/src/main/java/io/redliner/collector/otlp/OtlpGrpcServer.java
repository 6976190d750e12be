// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.redliner.collector.source.ListenerCredentials;
import io.redliner.collector.source.Source;
import io.redliner.collector.source.SourceHealth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Listens for the metrics that services push over gRPC. */
final class OtlpGrpcServer implements Source {

    private static final long STOP_TIMEOUT_MILLIS = 500;

    /** The number of messages that are read at the same time. */
    private static final int THREADS = 2;

    /** The number of calls of one connection that can be under way; senders have one. */
    private static final int CALLS = 8;

    private static final int MIN_PING_INTERVAL_SECONDS = 10;

    private final OtlpReceiver receiver;

    private final Server server;

    private final ExecutorService threads;

    private final ListenerCredentials credentials;

    private OtlpGrpcServer(OtlpReceiver receiver, Server server, ExecutorService threads,
            ListenerCredentials credentials) {
        this.credentials = credentials;
        this.receiver = receiver;
        this.server = server;
        this.threads = threads;
    }

    /**
     * Begins to listen.
     *
     * @throws OtlpPortInUseException when that cannot be done
     * @throws io.redliner.collector.source.InvalidListenerTlsException when a certificate or key is of no use
     */
    static OtlpGrpcServer start(OtlpProperties properties, OtlpReceiver receiver) {
        ListenerCredentials credentials = new ListenerCredentials(OtlpProperties.TLS, properties.tls());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS,
                Thread.ofPlatform().name("redliner-collector-otlp-", 0).daemon().factory());
        Server server = NettyServerBuilder
                .forAddress(new InetSocketAddress(properties.address(), properties.port()), credentials.credentials())
                .executor(threads).maxInboundMessageSize(properties.maxMessageBytes())
                .maxConcurrentCallsPerConnection(CALLS)
                .permitKeepAliveTime(MIN_PING_INTERVAL_SECONDS, TimeUnit.SECONDS).permitKeepAliveWithoutCalls(true)
                .addStreamTracerFactory(new MalformedMessageTracer(receiver))
                .addService(new OtlpGrpcService(receiver).service()).build();
        try {
            return new OtlpGrpcServer(receiver, server.start(), threads, credentials);
        } catch (IOException e) {
            credentials.close();
            threads.shutdownNow();
            throw new OtlpPortInUseException(properties, e);
        }
    }

    @Override
    public String name() {
        return "otlp";
    }

    /** The TCP port that it listens on. */
    int port() {
        return server.getPort();
    }

    @Override
    public SourceHealth condition() {
        Map<String, Object> details = new TreeMap<>();
        details.put("messages", receiver.metrics().messages());
        details.put("points", receiver.metrics().received());
        receiver.dropped().forEach((reason, points) -> details.put("dropped." + reason, points));
        if (server.isShutdown()) {
            details.put("reason", "closed");
            return SourceHealth.dead(details);
        }
        details.put("port", server.getPort());
        Map<String, String> complaints = receiver.complaints();
        if (!receiver.tooMany().isEmpty()) {
            details.put("not-measured", receiver.tooMany().toString());
        }
        if (complaints.isEmpty()) {
            return SourceHealth.working(details);
        }
        details.put("reason", complaints);
        return SourceHealth.impaired(details);
    }

    @Override
    public void close() {
        server.shutdownNow();
        threads.shutdown();
        credentials.close();
        try {
            server.awaitTermination(STOP_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
