// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ResourceKey.Kind;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One open stream of one proxy, with what the proxy said on it. Confined to one thread. */
public final class ProxyStream {

    /**
     * A proxy said no.
     *
     * @param refused the versions that the proxy did not want
     * @param error the proxy's own words
     */
    public record Refusal(Map<ResourceKey, String> refused, String error) {}

    private final String node;

    private final String group;

    private final EnvoyVersion version;

    private final StreamKind channel;

    private final Instant openedAt;

    private final Map<Kind, Map<ResourceKey, String>> acknowledged = new EnumMap<>(Kind.class);

    private final Map<Kind, Refusal> refusals = new EnumMap<>(Kind.class);

    /** Services by when it began to carry them. */
    private Map<String, Instant> carried = Map.of();

    public ProxyStream(String node, String group, EnvoyVersion version, StreamKind channel, Instant openedAt) {
        this.node = node;
        this.group = group;
        this.version = version;
        this.channel = channel;
        this.openedAt = openedAt;
    }

    public String node() {
        return node;
    }

    public String group() {
        return group;
    }

    EnvoyVersion version() {
        return version;
    }

    public StreamKind channel() {
        return channel;
    }

    /** It took these versions, which are all of the kind that it has now. */
    public void acknowledge(Kind kind, Map<ResourceKey, String> versions) {
        acknowledged.put(kind, versions);
        refusals.remove(kind);
    }

    /** It refused; what it had taken before stays in force. */
    public void refuse(Kind kind, Refusal refusal) {
        refusals.put(kind, refusal);
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

    /** The last refusals by kind, unless a later acknowledgement of the kind followed. */
    Map<Kind, Refusal> refusals() {
        return refusals;
    }

    /** The version that it took last, or null. */
    public @Nullable String acknowledged(ResourceKey key) {
        Map<ResourceKey, String> taken = acknowledged.get(key.kind());
        if (taken == null) {
            return null;
        }
        String version = taken.get(key);
        return version == null && key.kind() == Kind.SHARE ? ResourceKey.NATURAL_SHARE : version;
    }
}
