// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceStub;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.stub.StreamObserver;
import io.redliner.benchmarks.redirector.SimulatedProxy.Update;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** State of the world: every answer holds all resources that were asked for. */
final class SotwAdsStream implements AdsStream, StreamObserver<DiscoveryResponse> {

    private final SimulatedProxy proxy;

    private final Node node;

    private final StreamObserver<DiscoveryRequest> requests;

    /** What was asked last, of each kind. */
    private final Map<XdsResourceType, DiscoveryRequest> asked = new EnumMap<>(XdsResourceType.class);

    SotwAdsStream(SimulatedProxy proxy, Node node, AggregatedDiscoveryServiceStub redirector) {
        this.proxy = proxy;
        this.node = node;
        this.requests = redirector.streamAggregatedResources(this);
    }

    @Override
    public void subscribe(XdsResourceType kind, Set<String> names) {
        var before = asked.get(kind);
        if (before != null && new HashSet<>(before.getResourceNamesList()).equals(names)) {
            return;
        }
        var request = before == null
                ? DiscoveryRequest.newBuilder().setTypeUrl(kind.typeUrl())
                : before.toBuilder().clearResourceNames();
        ask(kind, request.addAllResourceNames(names));
    }

    /** The node is said once, as Envoy does. */
    private void ask(XdsResourceType kind, DiscoveryRequest.Builder request) {
        boolean first = asked.isEmpty();
        asked.put(kind, request.build());
        requests.onNext(first ? request.setNode(node).build() : request.build());
    }

    @Override
    public void onNext(DiscoveryResponse response) {
        var at = proxy.now();
        var kind = XdsResourceType.of(response.getTypeUrl());
        synchronized (proxy) {
            proxy.take(kind, new Update(response.getVersionInfo(), response.getResourcesList(), List.of(), true,
                    response.getSerializedSize(), at));
            var before = asked.get(kind);
            if (before != null) {
                ask(kind, before.toBuilder().setVersionInfo(response.getVersionInfo())
                        .setResponseNonce(response.getNonce()));
            }
            new ArrayList<>(proxy.wishes(kind)).forEach(wish -> subscribe(wish.kind(), wish.names()));
        }
    }

    @Override
    public void onError(Throwable broken) {
        proxy.lost(broken);
    }

    @Override
    public void onCompleted() {
        proxy.lost(new IllegalStateException("the redirector ended a stream"));
    }
}
