// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.redirector.dataplane.ResourceKey;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The services whose requests pass through a proxy: it subscribed to their routes, or would if it had not refused their listeners.
 * Guarded by {@link XdsStreams}.
 */
final class CarriedServices {

    private Set<String> routes = Set.of();

    private Set<String> refusedListeners = Set.of();

    private Set<String> last = Set.of();

    /** The proxy asks for these routes, and no others. */
    void subscribed(Collection<String> names) {
        routes = Set.copyOf(names);
    }

    /** The proxy unsubscribed from the first routes, and subscribed to the second ones besides. */
    void subscribed(Collection<String> fewer, Collection<String> more) {
        Set<String> next = new HashSet<>(routes);
        next.removeAll(fewer);
        next.addAll(more);
        routes = next;
    }

    /** Replaces the listeners that the proxy refuses. */
    void refused(Set<ResourceKey> listeners) {
        refusedListeners = listeners.stream().map(ResourceKey::name).collect(Collectors.toSet());
    }

    /** Returns all carried services when they changed since the last call; empty otherwise. */
    Optional<Set<String>> changed() {
        Set<String> next = new HashSet<>(routes);
        next.addAll(refusedListeners);
        if (next.equals(last)) {
            return Optional.empty();
        }
        last = Set.copyOf(next);
        return Optional.of(last);
    }
}
