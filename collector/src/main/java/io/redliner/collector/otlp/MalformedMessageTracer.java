// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Notes messages that gRPC refuses before the service is called: too large ones, and those that are no protobuf. */
final class MalformedMessageTracer extends ServerStreamTracer.Factory {

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
                if (call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress address) {
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
        // What gRPC tells the sender of a message that is too large once it is unpacked says nothing.
        Throwable cause = status.getCause();
        return cause == null ? status.getCode() + " " + status.getDescription() : String.valueOf(cause.getMessage());
    }
}
