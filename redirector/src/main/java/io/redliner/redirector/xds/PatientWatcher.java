// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.controlplane.cache.ConfigWatcher;
import io.envoyproxy.controlplane.cache.DeltaResponse;
import io.envoyproxy.controlplane.cache.DeltaWatch;
import io.envoyproxy.controlplane.cache.DeltaXdsRequest;
import io.envoyproxy.controlplane.cache.Response;
import io.envoyproxy.controlplane.cache.Watch;
import io.envoyproxy.controlplane.cache.XdsRequest;
import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Keeps a refused configuration from being sent again and again: the cache alone answers a refusal at once with the very
 * same thing, as fast as the proxy can refuse it. Here a proxy that refused gets the next version as soon as there is
 * one, and the same version only after a while, for what was in the way may be gone.
 */
final class PatientWatcher implements ConfigWatcher {

    private final SimpleCache<String> cache;

    private final String group;

    private final ScheduledExecutorService timer;

    private final Duration pause;

    PatientWatcher(SimpleCache<String> cache, String group, ScheduledExecutorService timer, Duration pause) {
        this.cache = cache;
        this.group = group;
        this.timer = timer;
        this.pause = pause;
    }

    @Override
    public Watch createWatch(boolean ads, XdsRequest request, Set<String> known, Consumer<Response> consumer,
            boolean hasClusterChanged, boolean allowDefaultEmptyEdsUpdate) {
        Snapshot snapshot = cache.getSnapshot(group);
        if (!request.hasErrorDetail() || snapshot == null) {
            return cache.createWatch(ads, request, known, consumer, hasClusterChanged, allowDefaultEmptyEdsUpdate);
        }
        Watch whole = new Watch(ads, allowDefaultEmptyEdsUpdate, request, consumer);
        AtomicReference<Watch> part = new AtomicReference<>();
        ScheduledFuture<?> retry = timer.schedule(() -> {
            Watch patient = part.get();
            if (patient != null && !patient.isCancelled() && !whole.isCancelled()) {
                patient.cancel();
                part.set(cache.createWatch(ads, request, Set.of(), consumer, true, allowDefaultEmptyEdsUpdate));
            }
        }, pause.toMillis(), TimeUnit.MILLISECONDS);
        String version = snapshot.version(request.getResourceType(), request.getResourceNamesList());
        part.set(cache.createWatch(ads, contentWith(request, version), Set.copyOf(request.getResourceNamesList()),
                response -> {
                    retry.cancel(false);
                    consumer.accept(response);
                }, false, allowDefaultEmptyEdsUpdate));
        whole.setStop(() -> {
            retry.cancel(false);
            Watch open = part.get();
            if (open != null) {
                open.cancel();
            }
        });
        return whole;
    }

    private static XdsRequest contentWith(XdsRequest request, String version) {
        return XdsRequest.create(DiscoveryRequest.newBuilder(request.v3Request())
                .setVersionInfo(version)
                .clearErrorDetail()
                .build());
    }

    @Override
    public DeltaWatch createDeltaWatch(DeltaXdsRequest request, String requesterVersion,
            Map<String, String> resourceVersions, Set<String> pendingResources, boolean isWildcard,
            Consumer<DeltaResponse> responseConsumer, boolean hasClusterChanged) {
        return cache.createDeltaWatch(request, requesterVersion, resourceVersions, pendingResources, isWildcard,
                responseConsumer, hasClusterChanged);
    }
}
