// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One open stream of one proxy, with what the proxy acknowledged and refused on it. Confined to one thread. */
public final class ProxyStream {

    /**
     * A response that a proxy refused.
     *
     * @param refused the versions in that response
     * @param error the proxy's error message
     */
    public record Refusal(Map<ResourceKey, String> refused, String error) {

        /**
         * Returns whether the error message names this resource, or no refused one: a proxy refuses a whole response for one
         * resource.
         */
        boolean names(ResourceKey key) {
            return mentions(key) || refused.keySet().stream().noneMatch(this::mentions);
        }

        private boolean mentions(ResourceKey key) {
            return Pattern.compile("(?<![\\w./-])" + Pattern.quote(key.name()) + "(?![\\w./-])").matcher(error).find();
        }
    }

    /** A resource that the proxy refuses, and the proxy's error message. */
    public record RefusedResource(ResourceKey key, String error) {}

    private final String node;

    private final String group;

    private final ProxySoftware software;

    private final StreamKind streamKind;

    private final Instant openedAt;

    private final Map<String, Map<ResourceKey, String>> acknowledged = new HashMap<>();

    private final Map<String, Refusal> refusals = new HashMap<>();

    /** Since when the proxy has carried each service, by service name. */
    private Map<String, Instant> carried = Map.of();

    public ProxyStream(String node, String group, ProxySoftware software, StreamKind streamKind, Instant openedAt) {
        this.node = node;
        this.group = group;
        this.software = software;
        this.streamKind = streamKind;
        this.openedAt = openedAt;
    }

    public String node() {
        return node;
    }

    public String group() {
        return group;
    }

    ProxySoftware software() {
        return software;
    }

    public StreamKind streamKind() {
        return streamKind;
    }

    /** Records an acknowledgement: these versions are all resources of the type that the proxy has now. */
    public void acknowledge(String type, Map<ResourceKey, String> versions) {
        acknowledged.put(type, versions);
        refusals.remove(type);
    }

    /** Records a refusal: the versions acknowledged before stay in force. */
    public void refuse(String type, Refusal refusal) {
        refusals.put(type, refusal);
    }

    public void carry(Set<String> services, Instant now) {
        Map<String, Instant> next = new HashMap<>();
        services.forEach(service -> next.put(service, carried.getOrDefault(service, now)));
        carried = next;
    }

    boolean carries(String service) {
        return carried.containsKey(service);
    }

    /** The earliest time from which an answer for the service can be expected. */
    Instant answerableFrom(String service) {
        return carried.getOrDefault(service, openedAt);
    }

    /** The last refusals by type, unless a later acknowledgement of the type followed. */
    Map<String, Refusal> refusals() {
        return refusals;
    }

    /** The resources that match and that the proxy refuses. */
    Stream<RefusedResource> refusedOf(Predicate<ResourceKey> own) {
        return refusals.values().stream().flatMap(refusal -> refusal.refused().entrySet().stream()
                .filter(entry -> own.test(entry.getKey()) && !entry.getValue().equals(acknowledged(entry.getKey()))
                        && refusal.names(entry.getKey()))
                .map(entry -> new RefusedResource(entry.getKey(), refusal.error())));
    }

    /** The version that the proxy acknowledged last, or null. */
    public @Nullable String acknowledged(ResourceKey key) {
        Map<ResourceKey, String> taken = acknowledged.get(key.type());
        if (taken == null) {
            return null;
        }
        String version = taken.get(key);
        return version == null && key.isShare() ? ResourceKey.NATURAL_SHARE : version;
    }
}
