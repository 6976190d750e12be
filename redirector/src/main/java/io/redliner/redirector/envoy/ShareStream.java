// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import io.redliner.redirector.dataplane.EnvoyVersion;
import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One proxy's stream of runtime resources. There is one resource, the layer, with the shares of all services of the
 * proxy's group that it was admitted to; a time to live covers it as a whole, so the earliest expiry rules. What only lets it
 * live longer goes out about once a second, however many leases are renewed. Guarded by {@link ShareStreams}.
 */
final class ShareStream {

    static final String TYPE_URL = "type.googleapis.com/envoy.service.runtime.v3.Runtime";

    private static final Pattern NONCE = Pattern.compile("[0-9]{1,18}");

    private static final int NANOS_PER_MILLI = 1_000_000;

    private static final long MILLIS_PER_SECOND = 1_000;

    /** Below the second after which a lease is renewed, so that with one lease each renewal goes out at once. */
    private static final java.time.Duration RENEWAL_INTERVAL = java.time.Duration.ofMillis(900);

    private static final java.time.Duration RENEWAL_MARGIN = java.time.Duration.ofSeconds(2);

    /**
     * What a proxy says, in either kind of xDS.
     *
     * @param nonce of the response that it answers, or empty
     * @param error its words when it refuses, or null
     * @param subscribes whether it wants the layer from now on; null when it says nothing of that
     * @param brought the version of the layer that it has, from another stream; empty for none
     */
    record Said(String node, String group, EnvoyVersion version, String nonce, @Nullable String error,
            @Nullable Boolean subscribes,
            String brought) {}

    /** How a resource gets to the proxy. */
    interface Wire {

        void send(String nonce, Resource layer);
    }

    private record Sent(Map<String, RuntimeOverride> shares, String version, Map<ResourceKey, String> versions) {}

    private final StreamId id;

    private final Wire wire;

    private final ProxyEventHandler events;

    private final TreeMap<Long, Sent> unanswered = new TreeMap<>();

    private final Set<String> admitted = new HashSet<>();

    private String group = "";

    /** The shares that it came with, by service. */
    private Map<String, String> brought = Map.of();

    private long lastNonce;

    private boolean announced;

    private boolean subscribed;

    private boolean refusing;

    private @Nullable Sent last;

    private Instant sentAt = Instant.MIN;

    /** When a renewal that waits goes out. */
    private @Nullable Instant renewAt;

    /** Until when it is not answered, because it may have a share in force that must not be taken away by mistake. */
    private @Nullable Instant holdUntil;

    ShareStream(StreamId id, Wire wire, ProxyEventHandler events) {
        this.id = id;
        this.wire = wire;
        this.events = events;
    }

    StreamId id() {
        return id;
    }

    String group() {
        return group;
    }

    /** Whether the proxy has said who it is. */
    boolean announced() {
        return announced;
    }

    void admit(String service) {
        admitted.add(service);
    }

    void dismiss(String service) {
        admitted.remove(service);
    }

    /** Takes the proxy's word, and says whether it now waits for a first answer. */
    boolean take(Said said) {
        if (!announced) {
            announced = true;
            group = said.group();
            brought = RuntimeOverride.versions(said.brought());
            events.opened(id, said.node(), said.group(), said.version());
        }
        if (!said.nonce().isEmpty()) {
            answered(said);
        }
        boolean before = subscribed;
        if (said.subscribes() != null) {
            subscribed = said.subscribes();
        }
        return subscribed && !before;
    }

    private void answered(Said said) {
        long nonce = NONCE.matcher(said.nonce()).matches() ? Long.parseLong(said.nonce()) : 0;
        Sent sent = unanswered.get(nonce);
        if (sent == null) {
            return;
        }
        unanswered.headMap(nonce, true).clear();
        refusing = said.error() != null;
        if (said.error() != null) {
            events.refused(id, Kind.SHARE, new Refusal(sent.versions(), said.error()));
        } else {
            events.acknowledged(id, Kind.SHARE, sent.versions());
        }
    }

    /** Sends what the proxy may have of these, unless it has it, or has refused just this: nothing is to be renewed then. */
    void send(Map<String, RuntimeOverride> shares, Instant now, java.time.Duration patience) {
        if (!subscribed || held(shares, now, patience)) {
            return;
        }
        Map<String, RuntimeOverride> own = new TreeMap<>(shares);
        own.entrySet().removeIf(entry -> !entry.getValue().natural() && !admitted.contains(entry.getKey()));
        if (last != null && last.shares().equals(own)) {
            return;
        }
        if (last != null && renews(last.shares(), own) && mayWait(last, now)) {
            renewAt = sentAt.plus(RENEWAL_INTERVAL);
            return;
        }
        Map<ResourceKey, String> versions = new HashMap<>();
        own.forEach((service, share) -> versions.put(new ResourceKey(Kind.SHARE, service), share.version()));
        Sent next = new Sent(own, RuntimeOverride.version(own), Map.copyOf(versions));
        if (refusing && last != null && next.versions().equals(last.versions())) {
            return;
        }
        sentAt = now;
        renewAt = null;
        lastNonce++;
        unanswered.put(lastNonce, next);
        last = next;
        wire.send(Long.toString(lastNonce), resource(next, now));
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
     * it gets nothing until it is known to have what the new one needs: its own timer goes on.
     */
    private boolean held(Map<String, RuntimeOverride> shares, Instant now, java.time.Duration patience) {
        if (last != null) {
            return false;
        }
        boolean moved = false;
        for (Map.Entry<String, String> had : brought.entrySet()) {
            RuntimeOverride share = shares.get(had.getKey());
            if (share != null && share.version().equals(had.getValue())) {
                admitted.add(had.getKey());
            } else if (share != null && !admitted.contains(had.getKey())) {
                moved = true;
            }
        }
        if (moved && holdUntil == null) {
            holdUntil = now.plus(patience);
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
