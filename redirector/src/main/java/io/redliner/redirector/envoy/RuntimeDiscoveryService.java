// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.runtime.v3.RuntimeDiscoveryServiceGrpc.RuntimeDiscoveryServiceImplBase;
import io.grpc.stub.StreamObserver;

/**
 * The runtime discovery service (RTDS) on a stream of its own, for proxies that get nothing but shares from here.
 */
final class RuntimeDiscoveryService extends RuntimeDiscoveryServiceImplBase {

    private final ShareSession.Maker sessions;

    RuntimeDiscoveryService(ShareSession.Maker sessions) {
        this.sessions = sessions;
    }

    @Override
    public StreamObserver<DiscoveryRequest> streamRuntime(StreamObserver<DiscoveryResponse> proxy) {
        SynchronizedStreamObserver<DiscoveryResponse> call = new SynchronizedStreamObserver<>(proxy);
        ShareSession shares = sessions.open(ShareWires.wholeState(call));
        Nodes nodes = new Nodes();
        return new XdsRequestObserver<>(call, shares, call, request -> shares
                .take(ShareWires.said(request, nodes.of(request.hasNode(), request.getNode()))));
    }

    @Override
    public StreamObserver<DeltaDiscoveryRequest> deltaRuntime(StreamObserver<DeltaDiscoveryResponse> proxy) {
        SynchronizedStreamObserver<DeltaDiscoveryResponse> call = new SynchronizedStreamObserver<>(proxy);
        ShareSession shares = sessions.open(ShareWires.increments(call));
        Nodes nodes = new Nodes();
        return new XdsRequestObserver<>(call, shares, call, request -> shares
                .take(ShareWires.said(request, nodes.of(request.hasNode(), request.getNode()))));
    }
}
