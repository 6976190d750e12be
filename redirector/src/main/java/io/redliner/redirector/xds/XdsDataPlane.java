// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.redliner.redirector.share.Arrangement;
import io.redliner.redirector.share.DataPlane;
import io.redliner.redirector.share.ResourceKey;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The proxies, as arrangements reach them: configuration over ADS, shares over RTDS. All proxies get the same. */
public final class XdsDataPlane implements DataPlane {

    static final String GROUP = "redliner";

    private final SimpleCache<String> cache = new SimpleCache<>(node -> GROUP);

    private final ShareStreams shares;

    private final List<Consumer<ProxyConfiguration>> watchers = new CopyOnWriteArrayList<>();

    private @Nullable ProxyConfiguration current;

    XdsDataPlane(InstantSource clock) {
        this.shares = new ShareStreams(clock);
    }

    @Override
    public synchronized Map<String, Map<ResourceKey, String>> arrange(List<Arrangement> arrangements) {
        ProxyConfiguration next = ProxyConfiguration.of(arrangements);
        if (current == null || !next.versions().equals(current.versions())) {
            watchers.forEach(watcher -> watcher.accept(next));
            cache.setSnapshot(GROUP, next.snapshot());
        }
        current = next;
        shares.publish(next.overrides());
        return next.wanted();
    }

    /** Is told of each configuration before the proxies are. */
    synchronized void watch(Consumer<ProxyConfiguration> watcher) {
        watchers.add(watcher);
        if (current != null) {
            watcher.accept(current);
        }
    }

    SimpleCache<String> cache() {
        return cache;
    }

    ShareStreams shares() {
        return shares;
    }
}
