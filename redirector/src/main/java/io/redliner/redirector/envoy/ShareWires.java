// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.stub.StreamObserver;
import io.redliner.redirector.envoy.ShareStream.Said;
import io.redliner.redirector.envoy.ShareStream.Wire;

/** The two kinds of xDS, as far as the layer of shares goes. */
final class ShareWires {

    private ShareWires() {}

    static Wire wholeState(StreamObserver<DiscoveryResponse> proxy) {
        return (nonce, layer) -> proxy.onNext(DiscoveryResponse.newBuilder()
                .setTypeUrl(ShareStream.TYPE_URL)
                .setVersionInfo(layer.getVersion())
                .setNonce(nonce)
                .addResources(Any.pack(layer))
                .build());
    }

    static Wire increments(StreamObserver<DeltaDiscoveryResponse> proxy) {
        return (nonce, layer) -> proxy.onNext(DeltaDiscoveryResponse.newBuilder()
                .setTypeUrl(ShareStream.TYPE_URL)
                .setSystemVersionInfo(layer.getVersion())
                .setNonce(nonce)
                .addResources(layer)
                .build());
    }

    static Said said(DiscoveryRequest request, Node node) {
        return new Said(node.getId(), node.getCluster(), Nodes.version(node), request.getResponseNonce(),
                request.hasErrorDetail() ? request.getErrorDetail().getMessage() : null,
                request.getResourceNamesList().contains(ResourceNames.LAYER), request.getVersionInfo());
    }

    static Said said(DeltaDiscoveryRequest request, Node node) {
        Boolean subscribes = null;
        if (request.getResourceNamesUnsubscribeList().contains(ResourceNames.LAYER)) {
            subscribes = false;
        }
        if (request.getResourceNamesSubscribeList().contains(ResourceNames.LAYER)) {
            subscribes = true;
        }
        return new Said(node.getId(), node.getCluster(), Nodes.version(node), request.getResponseNonce(),
                request.hasErrorDetail() ? request.getErrorDetail().getMessage() : null, subscribes,
                request.getInitialResourceVersionsOrDefault(ResourceNames.LAYER, ""));
    }
}
