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
 * The runtime layer of one proxy: what it has of the shares of its group's services, and what it is to get next. There is one
 * layer, with the shares that the proxy was admitted to; a time to live covers it as a whole, so the earliest expiry rules.
 * What only lets it live longer goes out about once a second, however many leases are renewed. Guarded by
 * {@link XdsStreams}.
 */
final class RuntimeLayer {

    private static final int NANOS_PER_MILLI = 1_000_000;

    private static final long MILLIS_PER_SECOND = 1_000;

    /** Below the second after which a lease is renewed, so that with one lease each renewal goes out at once. */
    private static final java.time.Duration RENEWAL_INTERVAL = java.time.Duration.ofMillis(900);

    private static final java.time.Duration RENEWAL_MARGIN = java.time.Duration.ofSeconds(2);

    /** How long a proxy that may have a share in force is not answered while it is not known whether it may keep it. */
    private static final java.time.Duration HOLD_TIMEOUT = java.time.Duration.ofSeconds(1);

    private record Sent(Map<String, RuntimeOverride> shares, String version, Map<ResourceKey, String> versions) {}

    private final Set<String> admitted = new HashSet<>();

    /** The shares that it came with, by service. */
    private Map<String, String> brought = Map.of();

    private boolean refusing;

    private @Nullable Sent last;

    private Instant sentAt = Instant.MIN;

    /** When a renewal that waits goes out. */
    private @Nullable Instant renewAt;

    /** Until when it is not answered, because it may have a share in force that must not be taken away by mistake. */
    private @Nullable Instant holdUntil;

    void admit(String service) {
        admitted.add(service);
    }

    void dismiss(String service) {
        admitted.remove(service);
    }

    /** The proxy comes with this version of the layer, from another stream; empty for none. */
    void brought(String version) {
        brought = RuntimeOverride.versions(version);
    }

    /** The proxy answered what it was sent last. */
    void answered(boolean refused) {
        refusing = refused;
    }

    /** The proxy does not want the layer any more: when it asks again it has none. */
    void unsubscribed() {
        last = null;
        brought = Map.of();
    }

    /** By service, the versions of the shares that it was sent last; a share that is not among them is natural. */
    Map<ResourceKey, String> versions() {
        return last == null ? Map.of() : last.versions();
    }

    /**
     * What the proxy gets next: what it may have of these shares, unless it has it, or has refused just this, for then nothing
     * is to be renewed. Empty when it has to wait.
     */
    Optional<Resource> next(Map<String, RuntimeOverride> shares, Instant now) {
        if (held(shares, now)) {
            return Optional.empty();
        }
        Map<String, RuntimeOverride> own = new TreeMap<>(shares);
        own.entrySet().removeIf(entry -> !entry.getValue().natural() && !admitted.contains(entry.getKey()));
        if (last != null && last.shares().equals(own)) {
            return Optional.empty();
        }
        if (last != null && renews(last.shares(), own) && mayWait(last, now)) {
            renewAt = sentAt.plus(RENEWAL_INTERVAL);
            return Optional.empty();
        }
        Map<ResourceKey, String> versions = new HashMap<>();
        own.forEach((service, share) -> versions.put(ResourceKey.share(service), share.version()));
        Sent next = new Sent(own, RuntimeOverride.version(own), Map.copyOf(versions));
        if (refusing && last != null && next.versions().equals(last.versions())) {
            return Optional.empty();
        }
        sentAt = now;
        renewAt = null;
        last = next;
        return Optional.of(resource(next, now));
    }

    /** A renewal that waits goes out with a turn of the loop, a second later at most: what the proxy has must outlive that. */
    private boolean mayWait(Sent had, Instant now) {
        Instant next = sentAt.plus(RENEWAL_INTERVAL);
        return now.isBefore(next) && end(had).filter(end -> end.isAfter(next.plus(RENEWAL_MARGIN))).isPresent();
    }

    /** Whether nothing is new but that all of it may stay for longer, or as long. */
    private static boolean renews(Map<String, RuntimeOverride> before, Map<String, RuntimeOverride> next) {
        return before.keySet().equals(next.keySet())
                && next.entrySet().stream().allMatch(entry -> entry.getValue().renews(before.get(entry.getKey())));
    }

    /**
     * Whether the first answer has to wait. A proxy that comes from another redirector in the middle of a run has the
     * share in force, and with it what the share needs; it gets the same again at once. When the share was moved meanwhile
     * it gets nothing until it is known to have what the new one needs: its own timer goes on. Where all tests share their
     * clusters it is natural until then, before it gets the endpoints of another test.
     */
    private boolean held(Map<String, RuntimeOverride> shares, Instant now) {
        if (last != null) {
            return false;
        }
        boolean moved = false;
        for (Map.Entry<String, String> had : brought.entrySet()) {
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

    /** When there is something to send though nothing changes, or empty. */
    Optional<Instant> due() {
        return Optional.ofNullable(last == null ? holdUntil : renewAt);
    }

    /**
     * The weights, and how long they may stay. Sent anew for each renewal: Envoy's state-of-the-world client (1.40)
     * drops heartbeats, which are resources without a body, before they reach its timers, so they keep nothing alive.
     */
    private static Resource resource(Sent sent, Instant now) {
        Struct.Builder layer = Struct.newBuilder();
        sent.shares().values().stream().flatMap(share -> Stream.of(share.weights(), share.logged()))
                .forEach(keys -> keys.forEach(
                        (key, number) -> layer.putFields(key, Value.newBuilder().setNumberValue(number).build())));
        Resource.Builder wrapper = Resource.newBuilder()
                .setName(ResourceNames.LAYER)
                .setVersion(sent.version())
                .setResource(Any.pack(Runtime.newBuilder().setName(ResourceNames.LAYER).setLayer(layer).build()));
        end(sent).ifPresent(end -> {
            long millis = Math.max(1, java.time.Duration.between(now, end).toMillis());
            wrapper.setTtl(Duration.newBuilder()
                    .setSeconds(millis / MILLIS_PER_SECOND)
                    .setNanos((int) (millis % MILLIS_PER_SECOND) * NANOS_PER_MILLI));
        });
        return wrapper.build();
    }

    /** What is only logged for a while must not take away what a lease holds. */
    private static Optional<Instant> end(Sent sent) {
        return sent.shares().values().stream().filter(RuntimeOverride::leased).map(RuntimeOverride::expiry)
                .min(Instant::compareTo)
                .or(() -> sent.shares().values().stream().map(RuntimeOverride::expiry).min(Instant::compareTo));
    }
}
