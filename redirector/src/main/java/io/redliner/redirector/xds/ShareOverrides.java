// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.share.Arrangement;
import io.redliner.redirector.share.ResourceKey;
import io.redliner.redirector.share.ResourceKey.Kind;
import io.redliner.redirector.share.Share;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The one resource of the runtime layer: the weights of every service that a lease is in force on. A time to live covers
 * the whole resource, so the earliest expiry rules; each lease is renewed about every second.
 *
 * @param weights in parts per million, by runtime key
 * @param versions of each service's part, also of services without an override
 * @param expiry when the proxies must drop the overrides by themselves, or empty when there is none
 */
record ShareOverrides(Map<String, Integer> weights, Map<ResourceKey, String> versions, Optional<Instant> expiry) {

    private static final int NANOS_PER_MILLI = 1_000_000;

    private static final long MILLIS_PER_SECOND = 1_000;

    static ShareOverrides of(List<Arrangement> arrangements) {
        Map<String, Integer> weights = new TreeMap<>();
        Map<ResourceKey, String> versions = new HashMap<>();
        Optional<Instant> expiry = Optional.empty();
        for (Arrangement arrangement : arrangements) {
            Map<String, Integer> own = weights(arrangement);
            weights.putAll(own);
            versions.put(new ResourceKey(Kind.SHARE, arrangement.service().name()), Versions.of(own.toString()));
            Optional<Instant> other = arrangement.override().map(Arrangement.Weighting::expiry);
            if (other.isPresent() && (expiry.isEmpty() || other.get().isBefore(expiry.get()))) {
                expiry = other;
            }
        }
        return new ShareOverrides(weights, versions, expiry);
    }

    private static Map<String, Integer> weights(Arrangement arrangement) {
        Map<String, Integer> weights = new TreeMap<>();
        if (arrangement.override().isPresent() && arrangement.layout().sut().isPresent()) {
            Service service = arrangement.service();
            Instance sut = arrangement.layout().sut().get();
            Share share = arrangement.override().get().share();
            weights.put(ProxyNames.runtimeKey(service, ProxyNames.sut(service, sut)), share.ppm());
            weights.put(ProxyNames.runtimeKey(service, ProxyNames.peersOf(service, sut)), share.rest().ppm());
        }
        return weights;
    }

    /** Of the content; renewals do not change it. */
    String version() {
        return Versions.of(weights.toString());
    }

    /**
     * The weights, and how long they may stay. Sent anew for each renewal: Envoy's state-of-the-world client (1.40)
     * drops heartbeats, which are resources without a body, before they reach its timers, so they keep nothing alive.
     */
    Resource resource(Instant now) {
        Struct.Builder layer = Struct.newBuilder();
        weights.forEach((key, ppm) -> layer.putFields(key, Value.newBuilder().setNumberValue(ppm).build()));
        Resource.Builder wrapper = Resource.newBuilder()
                .setName(ProxyNames.LAYER)
                .setVersion(version())
                .setResource(Any.pack(Runtime.newBuilder().setName(ProxyNames.LAYER).setLayer(layer).build()));
        expiry.ifPresent(end -> {
            long millis = Math.max(1, java.time.Duration.between(now, end).toMillis());
            wrapper.setTtl(Duration.newBuilder()
                    .setSeconds(millis / MILLIS_PER_SECOND)
                    .setNanos((int) (millis % MILLIS_PER_SECOND) * NANOS_PER_MILLI));
        });
        return wrapper.build();
    }
}
