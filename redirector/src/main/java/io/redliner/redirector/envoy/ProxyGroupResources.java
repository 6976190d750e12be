// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.VersionedResource;
import io.redliner.redirector.dataplane.ResourceKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** All resources of one group of proxies, without the shares. Immutable. */
final class ProxyGroupResources {

    static final ProxyGroupResources NOTHING = new ProxyGroupResources(Map.of());

    /** Some resources of one kind, with a version made from their content. */
    record Selection(String version, List<VersionedResource<?>> resources, Map<ResourceKey, String> versions) {}

    /** All resources of one kind. */
    private static final class Shelf {

        private final SortedMap<String, VersionedResource<?>> byName;

        /**
         * Cache of selections by the requested names, because the proxies of a group request the same ones. It is replaced when the
         * resources change.
         */
        private final Map<List<String>, Selection> selections = new ConcurrentHashMap<>();

        Shelf(SortedMap<String, VersionedResource<?>> byName) {
            this.byName = byName;
        }

        Selection select(ResourceType type, List<String> names) {
            return selections.computeIfAbsent(names, wanted -> {
                Collection<String> found = wanted.isEmpty() ? byName.keySet() : new TreeSet<>(wanted);
                List<VersionedResource<?>> resources = new ArrayList<>();
                Map<ResourceKey, String> versions = new HashMap<>();
                StringBuilder content = new StringBuilder();
                for (String name : found) {
                    VersionedResource<?> resource = byName.get(name);
                    if (resource != null) {
                        resources.add(resource);
                        versions.put(type.key(name), resource.version());
                        content.append(name).append('=').append(resource.version()).append('\n');
                    }
                }
                return new Selection(ContentHash.of(content.toString()), List.copyOf(resources), Map.copyOf(versions));
            });
        }
    }

    private final Map<ResourceType, Shelf> shelves;

    private ProxyGroupResources(Map<ResourceType, Shelf> shelves) {
        this.shelves = shelves;
    }

    /** A service's resources, and those that take their place. */
    record Replacement(ServiceResources before, ServiceResources after) {}

    /** Returns the resources after all these replacements. Shelves on which nothing changes are shared. */
    ProxyGroupResources replacing(List<Replacement> replacements) {
        Map<ResourceType, SortedMap<String, VersionedResource<?>>> changed = new EnumMap<>(ResourceType.class);
        replacements.forEach(replacement -> replace(replacement.before(), replacement.after(), changed));
        if (changed.isEmpty()) {
            return this;
        }
        Map<ResourceType, Shelf> next = new EnumMap<>(ResourceType.class);
        next.putAll(shelves);
        changed.forEach((type, byName) -> next.put(type, new Shelf(byName)));
        return new ProxyGroupResources(next);
    }

    private void replace(ServiceResources before, ServiceResources after,
            Map<ResourceType, SortedMap<String, VersionedResource<?>>> changed) {
        before.resources().forEach((key, old) -> {
            if (!after.resources().containsKey(key)) {
                copy(changed, ResourceType.valueOf(key.type())).remove(key.name());
            }
        });
        after.resources().forEach((key, resource) -> {
            VersionedResource<?> old = before.resources().get(key);
            if (old == null || !old.version().equals(resource.version())) {
                copy(changed, ResourceType.valueOf(key.type())).put(key.name(), resource);
            }
        });
    }

    private SortedMap<String, VersionedResource<?>> copy(
            Map<ResourceType, SortedMap<String, VersionedResource<?>>> changed, ResourceType type) {
        return changed.computeIfAbsent(type, first -> new TreeMap<>(all(type)));
    }

    /** Returns all resources of the kind, by name. */
    SortedMap<String, VersionedResource<?>> all(ResourceType type) {
        Shelf shelf = shelves.get(type);
        return shelf == null ? new TreeMap<>() : shelf.byName;
    }

    /**
     * Returns the resources of these names that exist.
     *
     * @param names empty for all
     */
    Selection select(ResourceType type, List<String> names) {
        Shelf shelf = shelves.get(type);
        return (shelf == null ? new Shelf(new TreeMap<>()) : shelf).select(type, names);
    }
}
