// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;

import io.grpc.stub.StreamObserver;
import io.redliner.redirector.share.ProxyEvents;
import io.redliner.redirector.share.ProxyEvents.StreamId;
import io.redliner.redirector.share.ProxyStream.Refusal;
import io.redliner.redirector.share.ResourceKey.Kind;
import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One proxy's stream of runtime resources. Guarded by {@link ShareStreams}. */
final class ShareStream {

    static final String TYPE_URL = "type.googleapis.com/envoy.service.runtime.v3.Runtime";

    private final StreamId id;

    private final StreamObserver<DiscoveryResponse> proxy;

    private final ProxyEvents events;

    private final TreeMap<Long, ShareOverrides> unanswered = new TreeMap<>();

    private long lastNonce;

    private boolean announced;

    private boolean subscribed;

    private boolean refusing;

    private @Nullable String sentVersion;

    ShareStream(StreamId id, StreamObserver<DiscoveryResponse> proxy, ProxyEvents events) {
        this.id = id;
        this.proxy = proxy;
        this.events = events;
    }

    StreamId id() {
        return id;
    }

    /** Takes the proxy's word, and says whether it now waits for a first answer. */
    boolean take(DiscoveryRequest request) {
        if (!announced) {
            announced = true;
            events.opened(id, request.getNode().getId());
        }
        if (!request.getResponseNonce().isEmpty()) {
            answered(request);
        }
        boolean before = subscribed;
        subscribed = request.getResourceNamesList().contains(ProxyNames.LAYER);
        return subscribed && !before;
    }

    private void answered(DiscoveryRequest request) {
        long nonce = Long.parseUnsignedLong(request.getResponseNonce());
        ShareOverrides sent = unanswered.get(nonce);
        if (sent == null) {
            return;
        }
        unanswered.headMap(nonce, true).clear();
        if (request.hasErrorDetail()) {
            refusing = true;
            events.refused(id, Kind.SHARE, new Refusal(sent.versions(), request.getErrorDetail().getMessage()));
        } else if (request.getVersionInfo().equals(sent.version())) {
            refusing = false;
            events.acknowledged(id, Kind.SHARE, sent.versions());
        }
    }

    /** Sends it, unless the proxy has refused just this: there is nothing to renew then. */
    void send(ShareOverrides overrides, Instant now) {
        if (subscribed && !(refusing && overrides.version().equals(sentVersion))) {
            respond(overrides, overrides.resource(now));
        }
    }

    private void respond(ShareOverrides overrides, Resource resource) {
        lastNonce++;
        unanswered.put(lastNonce, overrides);
        sentVersion = overrides.version();
        proxy.onNext(DiscoveryResponse.newBuilder()
                .setTypeUrl(TYPE_URL)
                .setVersionInfo(overrides.version())
                .setNonce(Long.toUnsignedString(lastNonce))
                .addResources(Any.pack(resource))
                .build());
    }

    void complete() {
        proxy.onCompleted();
    }
}
