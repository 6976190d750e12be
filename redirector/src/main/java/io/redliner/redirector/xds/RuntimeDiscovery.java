// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.runtime.v3.RuntimeDiscoveryServiceGrpc.RuntimeDiscoveryServiceImplBase;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;

/**
 * The runtime discovery service (RTDS) on a stream of its own, for proxies that get nothing but shares from here.
 */
final class RuntimeDiscovery extends RuntimeDiscoveryServiceImplBase {

    private final ShareSession.Maker sessions;

    RuntimeDiscovery(ShareSession.Maker sessions) {
        this.sessions = sessions;
    }

    @Override
    public StreamObserver<DiscoveryRequest> streamRuntime(StreamObserver<DiscoveryResponse> proxy) {
        SerializedCall<DiscoveryResponse> call = new SerializedCall<>(
                (ServerCallStreamObserver<DiscoveryResponse>) proxy);
        ShareSession shares = sessions.open(ShareWires.wholeState(call));
        Nodes nodes = new Nodes();
        return new Only<>(call, shares, request -> shares
                .take(ShareWires.said(request, nodes.of(request.hasNode(), request.getNode()))));
    }

    @Override
    public StreamObserver<DeltaDiscoveryRequest> deltaRuntime(StreamObserver<DeltaDiscoveryResponse> proxy) {
        SerializedCall<DeltaDiscoveryResponse> call = new SerializedCall<>(
                (ServerCallStreamObserver<DeltaDiscoveryResponse>) proxy);
        ShareSession shares = sessions.open(ShareWires.increments(call));
        Nodes nodes = new Nodes();
        return new Only<>(call, shares, request -> shares
                .take(ShareWires.said(request, nodes.of(request.hasNode(), request.getNode()))));
    }

    private static final class Only<T> implements StreamObserver<T> {

        private final SerializedCall<?> call;

        private final ShareSession shares;

        private final Consumer<T> next;

        Only(SerializedCall<?> call, ShareSession shares, Consumer<T> next) {
            this.call = call;
            this.shares = shares;
            this.next = next;
            call.setOnCancelHandler(shares::close);
        }

        @Override
        public void onNext(T request) {
            next.accept(request);
        }

        @Override
        public void onError(Throwable broken) {
            shares.close();
        }

        @Override
        public void onCompleted() {
            shares.close();
            call.onCompleted();
        }
    }
}
