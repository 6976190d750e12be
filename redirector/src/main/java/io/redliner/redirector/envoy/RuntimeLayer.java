// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import io.redliner.redirector.dataplane.ResourceKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runtime layer of one proxy, with those shares of its group's services that the proxy was admitted to. One time to live
 * covers the whole layer, so the earliest expiry counts. A layer that only lives longer is sent about once a second, however many
 * leases are renewed. Guarded by {@link XdsStreams}.
 */
final class RuntimeLayer {

    private static final int NANOS_PER_MILLI = 1_000_000;

    private static final long MILLIS_PER_SECOND = 1_000;

    /** Shorter than the second between two renewals of a lease, so that with one lease each renewal is sent at once. */
    private static final java.time.Duration RENEWAL_INTERVAL = java.time.Duration.ofMillis(900);

    private static final java.time.Duration RENEWAL_MARGIN = java.time.Duration.ofSeconds(2);

    /** How long the first answer to a proxy that may have a share in force is delayed, see {@link #held}. */
    private static final java.time.Duration HOLD_TIMEOUT = java.time.Duration.ofSeconds(1);

    private final Set<String> admitted = new HashSet<>();

    /** The versions of the shares that the proxy had when it connected, by service. */
    private Map<String, String> broughtVersions = Map.of();

    private boolean refusing;

    /** The shares that were sent last, by service; null while nothing was sent. */
    private @Nullable Map<String, RuntimeOverride> last;

    private Instant sentAt = Instant.MIN;

    /** The time at which a delayed renewal is sent. */
    private @Nullable Instant renewAt;

    /** End of the delay of the first answer. */
    private @Nullable Instant holdUntil;

    void admit(String service) {
        admitted.add(service);
    }

    void remove(String service) {
        admitted.remove(service);
    }

    /** Notes the version of the layer that the proxy brought from another stream; empty when it has none. */
    void restore(String version) {
        broughtVersions = RuntimeOverride.versions(version);
    }

    /** The proxy acknowledged or refused the last response. */
    void answered(boolean refused) {
        refusing = refused;
    }

    /** The proxy unsubscribed from the layer. When it subscribes again, it has none. */
    void unsubscribed() {
        last = null;
        broughtVersions = Map.of();
    }

    /** Returns the versions of the shares that were sent last. A share that is not among them is natural. */
    Map<ResourceKey, String> versions() {
        return last == null ? Map.of() : versions(last);
    }

    private static Map<ResourceKey, String> versions(Map<String, RuntimeOverride> shares) {
        Map<ResourceKey, String> versions = new HashMap<>();
        shares.forEach((service, share) -> versions.put(ResourceKey.share(service), share.version()));
        return versions;
    }

    /**
     * Returns the next response to the proxy, with those shares that it is admitted to. Empty when the proxy has them already, has
     * refused exactly these versions, or must wait.
     */
    Optional<Resource> next(Map<String, RuntimeOverride> shares, Instant now) {
        if (held(shares, now)) {
            return Optional.empty();
        }
        Map<String, RuntimeOverride> own = new TreeMap<>(shares);
        own.entrySet().removeIf(entry -> !entry.getValue().natural() && !admitted.contains(entry.getKey()));
        if (own.equals(last)) {
            return Optional.empty();
        }
        if (last != null && renews(last, own) && mayWait(last, now)) {
            renewAt = sentAt.plus(RENEWAL_INTERVAL);
            return Optional.empty();
        }
        if (refusing && last != null && versions(own).equals(versions(last))) {
            return Optional.empty();
        }
        sentAt = now;
        renewAt = null;
        last = own;
        return Optional.of(resource(own, now));
    }

    /**
     * A delayed renewal is sent by a turn of the loop, up to a second late. It may wait only if the layer of the proxy lives
     * longer.
     */
    private boolean mayWait(Map<String, RuntimeOverride> had, Instant now) {
        Instant next = sentAt.plus(RENEWAL_INTERVAL);
        return now.isBefore(next) && end(had).filter(end -> end.isAfter(next.plus(RENEWAL_MARGIN))).isPresent();
    }

    /** Returns whether only expiries differ, and none of them is earlier. */
    private static boolean renews(Map<String, RuntimeOverride> before, Map<String, RuntimeOverride> next) {
        return before.keySet().equals(next.keySet())
                && next.entrySet().stream().allMatch(entry -> entry.getValue().renews(before.get(entry.getKey())));
    }

    /**
     * Returns whether the first answer has to wait. A proxy that comes from another redirector during a run has a share in force,
     * and the clusters that the share needs. If that share is still wanted, the proxy gets it at once. If the share has moved
     * meanwhile, the proxy gets no answer for 1 s, or until it has acknowledged the clusters of the new one; its own timer runs
     * on. If all tests use the same clusters, it is answered at once, and its traffic is natural until then.
     */
    private boolean held(Map<String, RuntimeOverride> shares, Instant now) {
        if (last != null) {
            return false;
        }
        boolean moved = false;
        for (Map.Entry<String, String> had : broughtVersions.entrySet()) {
            RuntimeOverride share = shares.get(had.getKey());
            if (share != null && share.version().equals(had.getValue())) {
                admitted.add(had.getKey());
            } else if (share != null && !share.natural() && !share.sharesClusters()
                    && !admitted.contains(had.getKey())) {
                moved = true;
            }
        }
        if (moved && holdUntil == null) {
            holdUntil = now.plus(HOLD_TIMEOUT);
        }
        return moved && now.isBefore(holdUntil);
    }

    /** Returns the time at which a delayed response is due, or empty. */
    Optional<Instant> due() {
        return Optional.ofNullable(last == null ? holdUntil : renewAt);
    }

    /**
     * Returns the weights and their time to live. The body is sent with each renewal: Envoy's state-of-the-world client (1.40)
     * drops heartbeats, which are resources without a body, before they reach its timers, so they keep nothing alive.
     */
    private static Resource resource(Map<String, RuntimeOverride> shares, Instant now) {
        Struct.Builder layer = Struct.newBuilder();
        shares.values().stream().flatMap(share -> Stream.of(share.weights(), share.logged()))
                .forEach(keys -> keys.forEach(
                        (key, number) -> layer.putFields(key, Value.newBuilder().setNumberValue(number).build())));
        Resource.Builder wrapper = Resource.newBuilder()
                .setName(ResourceNames.LAYER)
                .setVersion(RuntimeOverride.version(shares))
                .setResource(Any.pack(Runtime.newBuilder().setName(ResourceNames.LAYER).setLayer(layer).build()));
        end(shares).ifPresent(end -> {
            long millis = Math.max(1, java.time.Duration.between(now, end).toMillis());
            wrapper.setTtl(Duration.newBuilder()
                    .setSeconds(millis / MILLIS_PER_SECOND)
                    .setNanos((int) (millis % MILLIS_PER_SECOND) * NANOS_PER_MILLI));
        });
        return wrapper.build();
    }

    /**
     * Returns the earliest expiry of the leases. Services that are only logged count when there is no lease: they must not shorten
     * one.
     */
    private static Optional<Instant> end(Map<String, RuntimeOverride> shares) {
        return shares.values().stream().filter(RuntimeOverride::leased).map(RuntimeOverride::expiry)
                .min(Instant::compareTo)
                .or(() -> shares.values().stream().map(RuntimeOverride::expiry).min(Instant::compareTo));
    }
}
