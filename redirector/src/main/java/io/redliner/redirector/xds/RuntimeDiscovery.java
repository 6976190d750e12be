// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.runtime.v3.RuntimeDiscoveryServiceGrpc.RuntimeDiscoveryServiceImplBase;
import io.grpc.stub.StreamObserver;

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
        SerializedCall<DiscoveryResponse> call = new SerializedCall<>(proxy);
        ShareSession shares = sessions.open(ShareWires.wholeState(call));
        Nodes nodes = new Nodes();
        return new ProxyRequests<>(call, shares, call, request -> shares
                .take(ShareWires.said(request, nodes.of(request.hasNode(), request.getNode()))));
    }

    @Override
    public StreamObserver<DeltaDiscoveryRequest> deltaRuntime(StreamObserver<DeltaDiscoveryResponse> proxy) {
        SerializedCall<DeltaDiscoveryResponse> call = new SerializedCall<>(proxy);
        ShareSession shares = sessions.open(ShareWires.increments(call));
        Nodes nodes = new Nodes();
        return new ProxyRequests<>(call, shares, call, request -> shares
                .take(ShareWires.said(request, nodes.of(request.hasNode(), request.getNode()))));
    }
}
