// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** gRPC servers that answer with their own address, on {@code trial.Who/Am} and {@code trial.Who/Else}, and have gRPC's health service. */
final class GrpcFleet implements AutoCloseable {

    static final MethodDescriptor<String, String> AM = method("Am");

    static final MethodDescriptor<String, String> ELSE = method("Else");

    private static final MethodDescriptor<byte[], byte[]> CHECK = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("grpc.health.v1.Health/Check")
            .setRequestMarshaller(Bytes.AS_THEY_ARE)
            .setResponseMarshaller(Bytes.AS_THEY_ARE)
            .build();

    private final List<Server> servers = new ArrayList<>();

    private final Set<String> sick = ConcurrentHashMap.newKeySet();

    private final Set<String> checkedAs = ConcurrentHashMap.newKeySet();

    /** Text as it is; no message format is needed to see who answers. */
    private enum Text implements MethodDescriptor.Marshaller<String> {
        UTF_8;

        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    /** A message as its bytes: that of the health service is written by hand. */
    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        AS_THEY_ARE;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    GrpcFleet(int size) {
        for (int i = 0; i < size; i++) {
            servers.add(start());
        }
    }

    private static MethodDescriptor<String, String> method(String name) {
        return MethodDescriptor.<String, String>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("trial.Who/" + name)
                .setRequestMarshaller(Text.UTF_8)
                .setResponseMarshaller(Text.UTF_8)
                .build();
    }

    private Server start() {
        Server[] self = new Server[1];
        var answering = ServerCalls.<String, String>asyncUnaryCall((request, answer) -> {
            answer.onNext(address(self[0]));
            answer.onCompleted();
        });
        try {
            self[0] = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(ServerServiceDefinition.builder("trial.Who").addMethod(AM, answering)
                            .addMethod(ELSE, answering).build())
                    .addService(ServerServiceDefinition.builder("grpc.health.v1.Health")
                            .addMethod(CHECK, health(() -> address(self[0]))).build())
                    .build().start();
            return self[0];
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private ServerCallHandler<byte[], byte[]> health(Supplier<String> self) {
        ServerCallHandler<byte[], byte[]> answering = ServerCalls.asyncUnaryCall((request, answer) -> {
            // The field status: SERVING or NOT_SERVING.
            answer.onNext(new byte[]{8, (byte) (sick.contains(self.get()) ? 2 : 1)});
            answer.onCompleted();
        });
        return (call, headers) -> {
            checkedAs.add(String.valueOf(call.getAuthority()));
            return answering.startCall(call, headers);
        };
    }

    private static String address(Server server) {
        return "127.0.0.1:" + server.getPort();
    }

    List<String> addresses() {
        return servers.stream().map(GrpcFleet::address).toList();
    }

    /** From now on the instance says that it does not serve; it does all the same. */
    void fallSick(String address) {
        sick.add(address);
    }

    /** Under which authorities health checks asked. */
    Set<String> checkedAs() {
        return Set.copyOf(checkedAs);
    }

    /** Who answers calls of a method through a port, one after the other. */
    static List<String> call(int port, MethodDescriptor<String, String> method, int calls) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                answers.add(ClientCalls.blockingUnaryCall(channel, method,
                        CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(5)), "who"));
            }
            return answers;
        } finally {
            channel.shutdownNow();
        }
    }

    @Override
    public void close() {
        servers.forEach(Server::shutdownNow);
    }
}
