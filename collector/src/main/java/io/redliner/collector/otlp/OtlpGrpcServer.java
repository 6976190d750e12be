// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.redliner.collector.source.ListenerCredentials;
import io.redliner.collector.source.ListenerPortInUseException;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.MetricSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Listens for the metrics that services push over gRPC. */
final class OtlpGrpcServer implements MetricSource {

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
     * @throws ListenerPortInUseException when that cannot be done
     * @throws io.redliner.collector.source.ListenerCredentials.InvalidListenerTlsException when a certificate or key is of no use
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
            throw new ListenerPortInUseException("OTLP", "redliner.collector.otlp",
                    properties.address(), properties.port(), e);
        }
    }

    @Override
    public String name() {
        return "otlp";
    }

    /** Returns the TCP port that it listens on. */
    int port() {
        return server.getPort();
    }

    @Override
    public SourceHealth health() {
        Map<String, Object> details = new TreeMap<>();
        details.put("messages", receiver.metrics().messages());
        details.put("points", receiver.metrics().received());
        receiver.dropped().forEach((reason, points) -> details.put("dropped." + reason, points));
        if (server.isShutdown()) {
            details.put("reason", "closed");
            return SourceHealth.dead(details);
        }
        details.put("port", server.getPort());
        Map<String, String> complaints = receiver.problems();
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

    /** Serves OTLP over gRPC. */
    private static final class OtlpGrpcService {

        private static final Context.Key<Optional<InetAddress>> FROM = Context.keyWithDefault("from", Optional.empty());

        private final OtlpReceiver receiver;

        OtlpGrpcService(OtlpReceiver receiver) {
            this.receiver = receiver;
        }

        /** Returns the service, with an interceptor that keeps the sender's address. */
        ServerServiceDefinition service() {
            var export = MetricsServiceGrpc.getExportMethod();
            var service = ServerServiceDefinition.builder(MetricsServiceGrpc.SERVICE_NAME)
                    .addMethod(export.toBuilder(new LimitedMarshaller(), export.getResponseMarshaller()).build(),
                            ServerCalls.asyncUnaryCall(this::export))
                    .build();
            return ServerInterceptors.intercept(service, new ServerInterceptor() {

                @Override
                public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers,
                        ServerCallHandler<Q, A> next) {
                    Optional<InetAddress> from = Optional
                            .ofNullable(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))
                            .map(address -> address instanceof InetSocketAddress socket ? socket.getAddress() : null);
                    return Contexts.interceptCall(Context.current().withValue(FROM, from), call, headers, next);
                }
            });
        }

        private void export(ExportMetricsServiceRequest message, StreamObserver<ExportMetricsServiceResponse> sender) {
            sender.onNext(receiver.take(message, FROM.get()));
            sender.onCompleted();
        }
    }

    /** Notes messages that gRPC refuses before the service is called: too large ones, and those that are no protobuf. */
    private static final class MalformedMessageTracer extends ServerStreamTracer.Factory {

        private final OtlpReceiver receiver;

        MalformedMessageTracer(OtlpReceiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new ServerStreamTracer() {

                private volatile Optional<InetAddress> from = Optional.empty();

                @Override
                public void serverCallStarted(ServerCallInfo<?, ?> call) {
                    if (call.getAttributes()
                            .get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress address) {
                        from = Optional.of(address.getAddress());
                    }
                }

                @Override
                public void streamClosed(Status status) {
                    // The message of a cancelled call was received, or the sender will repeat it.
                    if (!status.isOk() && status.getCode() != Status.Code.CANCELLED) {
                        receiver.broken(from, "a message could not be read: " + reason(status));
                    }
                }
            };
        }

        private static String reason(Status status) {
            // When a message is too large after it is unpacked, gRPC's description has no reason; the cause has it.
            Throwable cause = status.getCause();
            return cause == null
                    ? status.getCode() + " " + status.getDescription()
                    : String.valueOf(cause.getMessage());
        }
    }
}
