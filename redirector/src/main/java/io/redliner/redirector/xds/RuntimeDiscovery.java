// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.runtime.v3.RuntimeDiscoveryServiceGrpc.RuntimeDiscoveryServiceImplBase;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.redliner.redirector.share.ProxyEvents;
import io.redliner.redirector.share.ProxyEvents.StreamId;
import io.redliner.redirector.share.ResourceKey.Channel;
import java.util.concurrent.atomic.AtomicLong;

/** The runtime discovery service (RTDS), which java-control-plane does not have. */
final class RuntimeDiscovery extends RuntimeDiscoveryServiceImplBase {

    private final ShareStreams streams;

    private final ProxyEvents events;

    private final AtomicLong numbers = new AtomicLong();

    RuntimeDiscovery(ShareStreams streams, ProxyEvents events) {
        this.streams = streams;
        this.events = events;
    }

    @Override
    public StreamObserver<DiscoveryRequest> streamRuntime(StreamObserver<DiscoveryResponse> proxy) {
        StreamId id = new StreamId(Channel.SHARES, numbers.incrementAndGet());
        ShareStream stream = new ShareStream(id, proxy, events);
        streams.open(stream);
        Runnable end = () -> {
            streams.close(stream);
            events.closed(id);
        };
        if (proxy instanceof ServerCallStreamObserver<DiscoveryResponse> call) {
            call.setOnCancelHandler(end);
        }
        return new StreamObserver<>() {

            @Override
            public void onNext(DiscoveryRequest request) {
                streams.take(stream, request);
            }

            @Override
            public void onError(Throwable broken) {
                end.run();
            }

            @Override
            public void onCompleted() {
                end.run();
                stream.complete();
            }
        };
    }
}
