// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Serves OTLP over gRPC. */
final class OtlpGrpcService {

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
