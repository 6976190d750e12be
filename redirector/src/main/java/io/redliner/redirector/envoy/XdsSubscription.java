// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.AbstractWatch;
import io.envoyproxy.controlplane.cache.WatchCancelledException;
import io.redliner.redirector.dataplane.ResourceKey;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One kind of resource on one stream: what the proxy was sent, what it has, and whether it waits. Guarded by {@link XdsStreams}. */
final class XdsSubscription {

    private static final Logger LOGGER = LoggerFactory.getLogger(XdsSubscription.class);

    /**
     * What was sent.
     *
     * @param removed in increments, what the proxy does not have any more once it took this
     */
    record Sent(String version, Map<ResourceKey, String> contents, Set<ResourceKey> removed) {

        private Sent without(Collection<ResourceKey> unwanted) {
            Map<ResourceKey, String> rest = new HashMap<>(contents);
            rest.keySet().removeAll(unwanted);
            return new Sent(version, rest, removed);
        }
    }

    private final ResourceType kind;

    /** By nonce, what may still be answered. */
    private final Map<String, Sent> sent = new HashMap<>();

    /** Of streams in increments, what the proxy has by its own word. */
    private final Map<ResourceKey, String> has = new HashMap<>();

    private boolean begun;

    private @Nullable String refused;

    private Instant refusedUntil = Instant.MIN;

    private @Nullable BooleanSupplier waiting;

    XdsSubscription(ResourceType kind) {
        this.kind = kind;
    }

    ResourceType kind() {
        return kind;
    }

    /** Whether this is the proxy's first request. */
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** The whole state was sent: what was sent before cannot be answered any more. */
    void sentAll(String nonce, Sent next) {
        sent.clear();
        sent.put(nonce, next);
    }

    /** An increment was sent; several may be on their way, and each one that is taken counts. */
    void sent(String nonce, Sent next) {
        sent.put(nonce, next);
    }

    /** What was sent under the nonce, or null. */
    @Nullable
    Sent sent(String nonce) {
        return sent.get(nonce);
    }

    /** Likewise; the increment is answered. */
    @Nullable
    Sent answered(String nonce) {
        return sent.remove(nonce);
    }

    /** The proxy took an increment: all that it has now. Of the shares each one is a whole. */
    Map<ResourceKey, String> take(Sent taken) {
        if (kind == ResourceType.SHARE) {
            has.clear();
        }
        has.keySet().removeAll(taken.removed());
        has.putAll(taken.contents());
        return Map.copyOf(has);
    }

    /** What the proxy has by its own word, of streams in increments. */
    Map<ResourceKey, String> has() {
        return has;
    }

    /** The proxy has let go of these, even if they are on their way to it. */
    void forget(Collection<String> names) {
        if (!names.isEmpty()) {
            List<ResourceKey> unwanted = names.stream().map(name -> kind.key(name)).toList();
            has.keySet().removeAll(unwanted);
            sent.replaceAll((nonce, known) -> known.without(unwanted));
        }
    }

    /** The proxy does not want this version, and is not offered it before that. */
    void refuse(String version, Instant until) {
        refused = version;
        refusedUntil = until;
    }

    void refuseNothing() {
        refused = null;
    }

    boolean refuses(String version, Instant now) {
        return version.equals(refused) && now.isBefore(refusedUntil);
    }

    /** When a version that was refused may be offered again, or empty. */
    Optional<Instant> offeredAgain() {
        return refused == null || waiting == null || kind == ResourceType.SHARE
                ? Optional.empty()
                : Optional.of(refusedUntil);
    }

    /**
     * From now on the proxy waits, until the library cancels the watch.
     *
     * @param answer sends the proxy what there is for it, and says whether that was anything
     * @param lock that guards this
     */
    void await(AbstractWatch<?, ?> watch, BooleanSupplier answer, Object lock) {
        waiting = answer;
        watch.setStop(() -> {
            synchronized (lock) {
                if (answer.equals(waiting)) {
                    waiting = null;
                }
            }
        });
    }

    /** Answers the proxy if it waits and there is something for it. */
    void answer() {
        BooleanSupplier answer = waiting;
        if (answer != null) {
            waiting = null;
            boolean answered = answer.getAsBoolean();
            // A proxy that was answered may wait again by now. A share that changes goes out at once, whatever is unanswered.
            if (waiting == null && (!answered || kind == ResourceType.SHARE)) {
                waiting = answer;
            }
        }
    }

    /** Whether or not it gets there: a proxy's silence is noticed, and the others must get theirs. */
    static <T> boolean respond(AbstractWatch<?, T> watch, T response) {
        try {
            watch.respond(response);
        } catch (WatchCancelledException gone) {
            LOGGER.debug("a proxy is gone before it was answered", gone);
        } catch (RuntimeException failed) {
            LOGGER.warn("a proxy could not be answered", failed);
        }
        return true;
    }
}
