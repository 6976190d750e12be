// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.share.ResourceKey.Channel;
import io.redliner.redirector.share.ResourceKey.Kind;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * One open stream of one proxy, with what the proxy said on it.
 *
 * @param node the proxy's node id
 * @param acknowledged the version of each resource that the proxy took last
 * @param refusals by kind, the last refusal unless a later acknowledgement of the kind followed
 */
public record ProxyStream(String node, Channel channel, Instant openedAt, Map<ResourceKey, String> acknowledged,
        Map<Kind, Refusal> refusals) {

    /**
     * A proxy said no.
     *
     * @param refused the versions that the proxy did not want
     * @param error the proxy's own words
     */
    public record Refusal(Map<ResourceKey, String> refused, String error) {

        public Refusal {
            refused = Map.copyOf(refused);
        }
    }

    public ProxyStream {
        acknowledged = Map.copyOf(acknowledged);
        refusals = Map.copyOf(refusals);
    }

    /** A stream on which nothing was said yet. */
    public static ProxyStream opened(String node, Channel channel, Instant openedAt) {
        return new ProxyStream(node, channel, openedAt, Map.of(), Map.of());
    }

    /**
     * The stream after the proxy took these versions.
     *
     * @param versions all resources of the kind that the proxy has now
     */
    public ProxyStream acknowledging(Kind kind, Map<ResourceKey, String> versions) {
        Map<ResourceKey, String> changed = new HashMap<>(acknowledged);
        changed.keySet().removeIf(key -> key.kind() == kind);
        changed.putAll(versions);
        Map<Kind, Refusal> left = new EnumMap<>(Kind.class);
        left.putAll(refusals);
        left.remove(kind);
        return new ProxyStream(node, channel, openedAt, changed, left);
    }

    /** The stream after the proxy refused; what it had taken before stays in force. */
    public ProxyStream refusing(Kind kind, Refusal refusal) {
        Map<Kind, Refusal> more = new EnumMap<>(Kind.class);
        more.putAll(refusals);
        more.put(kind, refusal);
        return new ProxyStream(node, channel, openedAt, acknowledged, more);
    }
}
