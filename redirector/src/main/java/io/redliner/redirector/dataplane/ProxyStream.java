// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One open stream of one proxy, with what the proxy said on it. Confined to one thread. */
public final class ProxyStream {

    /**
     * A proxy said no.
     *
     * @param refused the versions that the proxy did not want
     * @param error the proxy's own words
     */
    public record Refusal(Map<ResourceKey, String> refused, String error) {

        /** Returns whether the proxy's words name this resource, or none that it refused: it refuses a whole response for one. */
        boolean names(ResourceKey key) {
            return mentions(key) || refused.keySet().stream().noneMatch(this::mentions);
        }

        private boolean mentions(ResourceKey key) {
            return Pattern.compile("(?<![\\w./-])" + Pattern.quote(key.name()) + "(?![\\w./-])").matcher(error).find();
        }
    }

    /** A resource that the proxy refuses, and the proxy's own words. */
    public record RefusedResource(ResourceKey key, String error) {}

    private final String node;

    private final String group;

    private final ProxySoftware software;

    private final StreamKind channel;

    private final Instant openedAt;

    private final Map<String, Map<ResourceKey, String>> acknowledged = new HashMap<>();

    private final Map<String, Refusal> refusals = new HashMap<>();

    /** Services by when it began to carry them. */
    private Map<String, Instant> carried = Map.of();

    public ProxyStream(String node, String group, ProxySoftware software, StreamKind channel, Instant openedAt) {
        this.node = node;
        this.group = group;
        this.software = software;
        this.channel = channel;
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

    public StreamKind channel() {
        return channel;
    }

    /** It took these versions, which are all of the type that it has now. */
    public void acknowledge(String type, Map<ResourceKey, String> versions) {
        acknowledged.put(type, versions);
        refusals.remove(type);
    }

    /** It refused; what it had taken before stays in force. */
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

    /** From when on it can have been expected to answer for the service. */
    Instant answerableFrom(String service) {
        return carried.getOrDefault(service, openedAt);
    }

    /** The last refusals by type, unless a later acknowledgement of the type followed. */
    Map<String, Refusal> refusals() {
        return refusals;
    }

    /** Returns the one of these that it refuses. */
    Stream<RefusedResource> refusedOf(Predicate<ResourceKey> own) {
        return refusals.values().stream().flatMap(refusal -> refusal.refused().entrySet().stream()
                .filter(entry -> own.test(entry.getKey()) && !entry.getValue().equals(acknowledged(entry.getKey()))
                        && refusal.names(entry.getKey()))
                .map(entry -> new RefusedResource(entry.getKey(), refusal.error())));
    }

    /** The version that it took last, or null. */
    public @Nullable String acknowledged(ResourceKey key) {
        Map<ResourceKey, String> taken = acknowledged.get(key.type());
        if (taken == null) {
            return null;
        }
        String version = taken.get(key);
        return version == null && key.isShare() ? ResourceKey.NATURAL_SHARE : version;
    }
}
