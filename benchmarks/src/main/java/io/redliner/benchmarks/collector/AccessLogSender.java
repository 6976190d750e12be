// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import io.envoyproxy.envoy.service.accesslog.v3.AccessLogServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Sends one message of access logs again and again over one stream, as fast as it is taken. */
final class AccessLogSender implements AutoCloseable {

    /** A message is sent with its bytes as they are. */
    private static final MethodDescriptor<byte[], byte[]> METHOD = AccessLogServiceGrpc.getStreamAccessLogsMethod()
            .toBuilder(new Bytes(), new Bytes()).build();

    private final Semaphore ready = new Semaphore(0);

    private final AccessLogMessage log;

    private final InstantSource clock;

    private final ManagedChannel channel;

    private final ClientCall<byte[], byte[]> call;

    AccessLogSender(int port, AccessLogMessage log, InstantSource clock) {
        this.log = log;
        this.clock = clock;
        channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        call = channel.newCall(METHOD, CallOptions.DEFAULT);
        call.start(new ClientCall.Listener<>() {
            @Override
            public void onReady() {
                ready.release();
            }
        }, new Metadata());
        call.request(1);
    }

    void run(Instant end) throws InterruptedException {
        for (Instant now = clock.instant(); now.isBefore(end); now = clock.instant()) {
            while (!call.isReady()) {
                ready.tryAcquire(10, TimeUnit.MILLISECONDS);
            }
            call.sendMessage(log.at(now.getEpochSecond()).clone());
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
