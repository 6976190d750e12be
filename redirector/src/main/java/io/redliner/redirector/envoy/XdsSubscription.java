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

/**
 * The subscription to one type of resource on one stream: the responses that were sent, the resources that the proxy has, and
 * whether it waits. Guarded by {@link XdsStreams}.
 */
final class XdsSubscription {

    private static final Logger LOGGER = LoggerFactory.getLogger(XdsSubscription.class);

    /**
     * The contents of a response.
     *
     * @param removed in incremental responses, the resources that the proxy drops when it acknowledges this
     */
    record Sent(String version, Map<ResourceKey, String> contents, Set<ResourceKey> removed) {

        private Sent without(Collection<ResourceKey> unwanted) {
            Map<ResourceKey, String> rest = new HashMap<>(contents);
            rest.keySet().removeAll(unwanted);
            return new Sent(version, rest, removed);
        }
    }

    private final ResourceType type;

    /** Responses that the proxy may still answer, by nonce. */
    private final Map<String, Sent> sent = new HashMap<>();

    /** In incremental streams, the resources that the proxy acknowledged. */
    private final Map<ResourceKey, String> has = new HashMap<>();

    private boolean begun;

    private @Nullable String refused;

    private Instant refusedUntil = Instant.MIN;

    /** Resources that the proxy failed to create since it started, and whether it has to be sent all of them again therefore. */
    private long failures;

    private boolean inDoubt;

    private @Nullable BooleanSupplier waiting;

    XdsSubscription(ResourceType type) {
        this.type = type;
    }

    /** Returns the requested names, sorted; none for all resources. */
    static List<String> names(List<String> requested) {
        return requested.contains("*") ? List.of() : requested.stream().sorted().toList();
    }

    ResourceType type() {
        return type;
    }

    /** Returns whether this is the proxy's first request of this type. */
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** Records a response with the whole state. Earlier responses cannot be answered any more. */
    void sentAll(String nonce, Sent next) {
        sent.clear();
        sent(nonce, next);
    }

    /** Records an incremental response. Several may be unanswered, and each one counts once it is acknowledged. */
    void sent(String nonce, Sent next) {
        inDoubt = false;
        sent.put(nonce, next);
    }

    /** Returns the response with this nonce, or null. */
    @Nullable
    Sent sent(String nonce) {
        return sent.get(nonce);
    }

    /** Returns the incremental response with this nonce, or null. It is answered by this call. */
    @Nullable
    Sent answered(String nonce) {
        return sent.remove(nonce);
    }

    /**
     * Records that the proxy acknowledged a response, and returns all that it has now. A response with shares replaces the
     * earlier ones.
     */
    Map<ResourceKey, String> take(Sent taken) {
        if (type == ResourceType.SHARE) {
            has.clear();
        }
        has.keySet().removeAll(taken.removed());
        has.putAll(taken.contents());
        return Map.copyOf(has);
    }

    /** In incremental streams, the resources that the proxy acknowledged. */
    Map<ResourceKey, String> has() {
        return has;
    }

    /** Forgets that the proxy has these, also in responses that it has not answered. */
    void forget(Collection<String> names) {
        if (!names.isEmpty()) {
            List<ResourceKey> unwanted = names.stream().map(name -> type.key(name)).toList();
            has.keySet().removeAll(unwanted);
            sent.replaceAll((nonce, known) -> known.without(unwanted));
        }
    }

    /** Records that the proxy refused this version. It is not offered again before that time. */
    void refuse(String version, Instant until) {
        refused = version;
        refusedUntil = until;
        inDoubt = failed();
    }

    /**
     * Records how many resources the proxy failed to create since it started. Envoy binds a port when it gets a listener, and
     * acknowledges that. It listens later, and silently drops the listener when another program listens by then. When it gets the
     * listener again, it refuses it, with the reason.
     */
    void failed(long count) {
        inDoubt |= count > failures;
        // Two proxies with one node id by mistake must not seem to fail again and again.
        failures = Math.max(failures, count);
    }

    /** Returns whether the proxy ever failed to create a resource, so that an acknowledgement does not prove that it has it. */
    boolean failed() {
        return failures > 0;
    }

    /** Returns whether the proxy is to be sent also what it acknowledged. */
    boolean inDoubt() {
        return inDoubt;
    }

    void refuseNothing() {
        refused = null;
    }

    boolean refuses(String version, Instant now) {
        return version.equals(refused) && now.isBefore(refusedUntil);
    }

    /** Returns when a refused version may be offered again; empty when none was refused. */
    Optional<Instant> offeredAgain() {
        return refused == null || waiting == null || type == ResourceType.SHARE
                ? Optional.empty()
                : Optional.of(refusedUntil);
    }

    /**
     * Makes the proxy wait until the library cancels the watch.
     *
     * @param answer responds to the proxy if there is something new, and returns whether it did
     * @param lock that guards this object
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

    /** Answers the proxy if it waits and there is something new. */
    void answer() {
        BooleanSupplier answer = waiting;
        if (answer != null) {
            waiting = null;
            boolean answered = answer.getAsBoolean();
            // A proxy that was answered may wait again by now. A changed share is sent at once, even before the last one is
            // answered.
            if (waiting == null && (!answered || type == ResourceType.SHARE)) {
                waiting = answer;
            }
        }
    }

    /**
     * Sends a response, and returns true even when that fails: the missing answer is noticed, and the other proxies must get
     * theirs.
     */
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
