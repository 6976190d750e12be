// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.stub.StreamObserver;

/**
 * Everything over one stream for each proxy, so that a proxy has one redirector for all: configuration by
 * java-control-plane, and between it the runtime layer, which java-control-plane does not know.
 */
final class AggregatedDiscoveryService extends AggregatedDiscoveryServiceImplBase {

    private final AggregatedDiscoveryServiceImplBase configuration;

    private final ShareSession.Maker sessions;

    AggregatedDiscoveryService(AggregatedDiscoveryServiceImplBase configuration, ShareSession.Maker sessions) {
        this.configuration = configuration;
        this.sessions = sessions;
    }

    @Override
    public StreamObserver<DiscoveryRequest> streamAggregatedResources(StreamObserver<DiscoveryResponse> proxy) {
        SynchronizedStreamObserver<DiscoveryResponse> call = new SynchronizedStreamObserver<>(proxy);
        ShareSession shares = sessions.open(ShareWires.wholeState(call));
        StreamObserver<DiscoveryRequest> rest = configuration.streamAggregatedResources(call);
        Nodes nodes = new Nodes();
        return new XdsRequestObserver<>(call, shares, rest, request -> {
            Node node = nodes.of(request.hasNode(), request.getNode());
            if (request.getTypeUrl().equals(ShareStream.TYPE_URL)) {
                shares.take(ShareWires.said(request, node));
            } else {
                rest.onNext(request.toBuilder().setNode(node).build());
            }
        });
    }

    @Override
    public StreamObserver<DeltaDiscoveryRequest> deltaAggregatedResources(
            StreamObserver<DeltaDiscoveryResponse> proxy) {
        SynchronizedStreamObserver<DeltaDiscoveryResponse> call = new SynchronizedStreamObserver<>(proxy);
        ShareSession shares = sessions.open(ShareWires.increments(call));
        StreamObserver<DeltaDiscoveryRequest> rest = configuration.deltaAggregatedResources(call);
        Nodes nodes = new Nodes();
        return new XdsRequestObserver<>(call, shares, rest, request -> {
            Node node = nodes.of(request.hasNode(), request.getNode());
            if (request.getTypeUrl().equals(ShareStream.TYPE_URL)) {
                shares.take(ShareWires.said(request, node));
            } else {
                rest.onNext(request.toBuilder().setNode(node).build());
            }
        });
    }
}
