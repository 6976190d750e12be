// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceStub;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.stub.StreamObserver;
import io.redliner.benchmarks.redirector.SimulatedProxy.Update;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Delta: an answer holds what is new. */
final class DeltaAdsStream implements AdsStream, StreamObserver<DeltaDiscoveryResponse> {

    private final SimulatedProxy proxy;

    private final Node node;

    private final StreamObserver<DeltaDiscoveryRequest> requests;

    private final Map<XdsResourceType, Set<String>> subscribed = new EnumMap<>(XdsResourceType.class);

    private boolean introduced;

    DeltaAdsStream(SimulatedProxy proxy, Node node, AggregatedDiscoveryServiceStub redirector) {
        this.proxy = proxy;
        this.node = node;
        this.requests = redirector.deltaAggregatedResources(this);
    }

    @Override
    public void subscribe(XdsResourceType kind, Set<String> names) {
        var before = subscribed.put(kind, Set.copyOf(names));
        var added = new TreeSet<>(names);
        var removed = new TreeSet<String>();
        if (before != null) {
            added.removeAll(before);
            removed.addAll(before);
            removed.removeAll(names);
        }
        if (before == null || !added.isEmpty() || !removed.isEmpty()) {
            ask(DeltaDiscoveryRequest.newBuilder().setTypeUrl(kind.typeUrl()).addAllResourceNamesSubscribe(added)
                    .addAllResourceNamesUnsubscribe(removed));
        }
    }

    /** The node is said once, as Envoy does. */
    private void ask(DeltaDiscoveryRequest.Builder request) {
        requests.onNext(introduced ? request.build() : request.setNode(node).build());
        introduced = true;
    }

    @Override
    public void onNext(DeltaDiscoveryResponse response) {
        var at = proxy.now();
        var kind = XdsResourceType.of(response.getTypeUrl());
        synchronized (proxy) {
            proxy.take(kind, new Update(response.getSystemVersionInfo(),
                    response.getResourcesList().stream().map(Resource::getResource).toList(),
                    response.getRemovedResourcesList(), false, response.getSerializedSize(), at));
            ask(DeltaDiscoveryRequest.newBuilder().setTypeUrl(kind.typeUrl()).setResponseNonce(response.getNonce()));
            proxy.wishes(kind).forEach(wish -> subscribe(wish.kind(), wish.names()));
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
