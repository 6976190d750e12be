// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One proxy, identified by its node id, with all its open streams. Two proxies may share a node id by mistake, and a dead stream
 * may not have been noticed yet. So each stream must acknowledge for itself: a false alarm is better than a false
 * acknowledgement. Confined to one thread.
 */
public final class Proxy {

    /** A resource that the proxy refuses, and the proxy's error message. */
    public record RefusedResource(ResourceKey key, String error) {}

    /** One open stream, with what the proxy acknowledged and refused on it. */
    private static final class OpenStream {

        private final ProxySoftware software;

        private final Instant openedAt;

        private final Map<String, Map<ResourceKey, String>> acknowledged = new HashMap<>();

        /** The last refusals by type, unless a later acknowledgement of the type followed. */
        private final Map<String, Refusal> refusals = new HashMap<>();

        /** The instant since which the proxy has carried each service, by service name. */
        private Map<String, Instant> carried = Map.of();

        OpenStream(ProxySoftware software, Instant openedAt) {
            this.software = software;
            this.openedAt = openedAt;
        }

        void carry(Set<String> services, Instant now) {
            Map<String, Instant> next = new HashMap<>();
            services.forEach(service -> next.put(service, carried.getOrDefault(service, now)));
            carried = next;
        }

        /** Returns the matching resources that the proxy refuses. */
        Stream<RefusedResource> refusedOf(Predicate<ResourceKey> own) {
            return refusals.values().stream().flatMap(refusal -> refusal.refused().entrySet().stream()
                    .filter(entry -> own.test(entry.getKey()) && !entry.getValue().equals(acknowledged(entry.getKey()))
                            && refusal.names(entry.getKey()))
                    .map(entry -> new RefusedResource(entry.getKey(), refusal.error())));
        }

        /** Returns whether the proxy refused this response although it has a version that is wanted. */
        boolean refuses(Refusal refusal, Map<ResourceKey, String> wanted) {
            return refusal.refused().entrySet().stream()
                    .anyMatch(refused -> refused.getValue().equals(wanted.get(refused.getKey()))
                            && !refused.getValue().equals(acknowledged(refused.getKey())));
        }

        /** Returns the version that the proxy acknowledged last, or null. */
        @Nullable
        String acknowledged(ResourceKey key) {
            Map<ResourceKey, String> taken = acknowledged.get(key.type());
            if (taken == null) {
                return null;
            }
            String version = taken.get(key);
            return version == null && key.isShare() ? ResourceKey.NATURAL_SHARE : version;
        }
    }

    private final String node;

    private final String group;

    private final Function<String, OptionalDouble> traffic;

    private final Map<StreamId, OpenStream> streams = new LinkedHashMap<>();

    /**
     * Creates a proxy without streams.
     *
     * @param group of proxies that it belongs to
     * @param traffic requests per second of a service that a proxy with this node id sends on; empty when that is not known
     */
    public Proxy(String node, String group, Function<String, OptionalDouble> traffic) {
        this.node = node;
        this.group = group;
        this.traffic = traffic;
    }

    public String node() {
        return node;
    }

    public String group() {
        return group;
    }

    /** Returns the open streams, in the order in which they were opened. */
    public Set<StreamId> streams() {
        return Collections.unmodifiableSet(streams.keySet());
    }

    /** Records that the proxy opened a stream. */
    public void open(StreamId id, ProxySoftware software, Instant now) {
        streams.put(id, new OpenStream(software, now));
    }

    void close(StreamId id) {
        streams.remove(id);
    }

    /** Records an acknowledgement: these versions are all resources of the type that the proxy has now. */
    public void acknowledge(StreamId id, String type, Map<ResourceKey, String> versions) {
        stream(id).acknowledged.put(type, versions);
        stream(id).refusals.remove(type);
    }

    /** Records a refusal: the versions acknowledged before stay in force, unless they are in doubt. */
    public void refuse(StreamId id, String type, Refusal refusal) {
        if (refusal.inDoubt()) {
            stream(id).acknowledged.remove(type);
        }
        stream(id).refusals.put(type, refusal);
    }

    /** Records that requests to these services, and to no others, pass through the proxy. */
    public void carry(StreamId id, Set<String> services, Instant now) {
        stream(id).carry(services, now);
    }

    private OpenStream stream(StreamId id) {
        OpenStream stream = streams.get(id);
        if (stream == null) {
            throw new IllegalArgumentException("proxy " + node + " has no open stream " + id);
        }
        return stream;
    }

    /** Returns the version that the proxy acknowledged last on this stream, or null. */
    public @Nullable String acknowledged(StreamId id, ResourceKey key) {
        return stream(id).acknowledged(key);
    }

    /** Returns the requests per second of the service that it forwards; empty when unknown. */
    OptionalDouble requestsPerSecond(String service) {
        // Counters that two proxies report under one node id cannot be distinguished.
        boolean alone = streams.keySet().stream().map(StreamId::streamKind).distinct().count() == streams.size();
        return alone ? traffic.apply(service) : OptionalDouble.empty();
    }

    /** Returns whether requests to the service pass through the proxy. */
    boolean carries(String service) {
        return streams.values().stream().anyMatch(stream -> stream.carried.containsKey(service));
    }

    /** Returns the proxy's software when it does not support the mode; empty when it does. */
    Optional<ProxySoftware> without(RedirectMode mode) {
        return streams.values().stream().map(stream -> stream.software)
                .filter(software -> !software.modes().contains(mode)).findFirst();
    }

    /** Returns the earliest time at which an answer of the proxy for the service can be expected. */
    Instant answerableFrom(String service) {
        return streams.values().stream().map(stream -> stream.carried.getOrDefault(service, stream.openedAt))
                .max(Comparator.naturalOrder()).orElseThrow();
    }

    /** Returns the wanted resources that an open stream has not acknowledged, each as {@code TYPE name}. */
    List<String> owing(Map<ResourceKey, String> wanted) {
        return wanted.entrySet().stream()
                .filter(entry -> owes(entry.getKey(), entry.getValue()))
                .map(entry -> entry.getKey().toString())
                .sorted()
                .toList();
    }

    /** Returns whether the proxy has not acknowledged a wanted resource, or has not asked for it. */
    public boolean owesAny(Map<ResourceKey, String> wanted) {
        return lacksConfiguration(wanted) || owesToOpenStream(wanted);
    }

    /** Returns whether an open stream has not acknowledged a wanted resource. */
    boolean owesToOpenStream(Map<ResourceKey, String> wanted) {
        for (Map.Entry<ResourceKey, String> entry : wanted.entrySet()) {
            if (owes(entry.getKey(), entry.getValue())) {
                return true;
            }
        }
        return false;
    }

    private boolean owes(ResourceKey key, String version) {
        for (Map.Entry<StreamId, OpenStream> stream : streams.entrySet()) {
            if (stream.getKey().streamKind() == key.streamKind()
                    && !version.equals(stream.getValue().acknowledged(key))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the proxy has not opened its stream of shares. An owner's bootstrap may lack the runtime layer. */
    private boolean lacksShares() {
        return count(StreamKind.SHARES) < count(StreamKind.CONFIGURATION);
    }

    /** Returns whether the proxy gets only shares from here although other resources are wanted. */
    private boolean lacksConfiguration(Map<ResourceKey, String> wanted) {
        return count(StreamKind.CONFIGURATION) == 0 && wanted.keySet().stream().anyMatch(key -> !key.isShare());
    }

    /** Returns whether a stream is missing that the proxy has to open. */
    public boolean incomplete(Map<ResourceKey, String> wanted) {
        return lacksShares() || lacksConfiguration(wanted);
    }

    /** Returns the resources that an incomplete proxy has not requested, as text that follows "to ask for". */
    String requestFor(Map<ResourceKey, String> wanted) {
        return lacksConfiguration(wanted)
                ? wanted.keySet().stream().filter(key -> !key.isShare()).map(ResourceKey::toString).sorted()
                        .collect(Collectors.joining(" and "))
                : "its shares";
    }

    private long count(StreamKind streamKind) {
        return streams.keySet().stream().filter(id -> id.streamKind() == streamKind).count();
    }

    /** The proxy's error message when it refused a version that is wanted. */
    Optional<String> refusalOf(Map<ResourceKey, String> wanted) {
        return streams.values().stream().flatMap(stream -> stream.refusals.values().stream()
                .filter(refusal -> stream.refuses(refusal, wanted))).map(Refusal::error).findFirst();
    }

    /**
     * Returns the resource of the service that the proxy refuses, if any: a wanted one, or one that bears the service's name and
     * that no lease waits for, such as its listener.
     */
    public Optional<RefusedResource> refused(String service, Map<ResourceKey, String> wanted) {
        return streams.values().stream()
                .flatMap(stream -> stream.refusedOf(key -> key.name().equals(service) || wanted.containsKey(key)))
                .min(Comparator.comparing(refused -> refused.key().toString()));
    }

    /** The proxy's error message for a refused version that no acknowledgement has followed. */
    Optional<String> lastRefusal() {
        return streams.values().stream().flatMap(stream -> stream.refusals.values().stream()).map(Refusal::error)
                .findFirst();
    }

    /** The version that every stream acknowledged, or empty. */
    public Optional<String> acknowledgedVersion(ResourceKey key) {
        List<String> versions = streams.entrySet().stream()
                .filter(stream -> stream.getKey().streamKind() == key.streamKind())
                .map(stream -> Optional.ofNullable(stream.getValue().acknowledged(key)).orElse(""))
                .distinct()
                .toList();
        return versions.size() == 1 && !versions.getFirst().isEmpty()
                ? Optional.of(versions.getFirst())
                : Optional.empty();
    }
}
