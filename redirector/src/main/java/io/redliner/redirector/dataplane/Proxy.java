// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ProxyStream.RefusedResource;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * One proxy, identified by its node id, as seen by one service, with all its open streams. Two proxies may share a node id by
 * mistake, and a dead stream may not have been noticed yet. So each stream must acknowledge for itself: a false alarm is better
 * than a false acknowledgement.
 *
 * @param requestsPerSecond how many of the service's requests it sends on; empty when that is not known
 */
public record Proxy(String node, String service, List<ProxyStream> streams, OptionalDouble requestsPerSecond) {

    public Proxy {
        if (streams.isEmpty()) {
            throw new IllegalArgumentException("proxy " + node + " without a stream");
        }
    }

    /** Returns whether requests to the service pass through the proxy. */
    boolean carries() {
        return streams.stream().anyMatch(stream -> stream.carries(service));
    }

    /** The proxy's software when it does not support the mode; empty when it does. */
    Optional<ProxySoftware> without(RedirectMode mode) {
        return streams.stream().map(ProxyStream::software).filter(software -> !software.modes().contains(mode))
                .findFirst();
    }

    /** The earliest time from which an answer of the proxy can be expected. */
    Instant answerableFrom() {
        return streams.stream().map(stream -> stream.answerableFrom(service)).max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The wanted resources that an open stream has not acknowledged, each as {@code TYPE name}. */
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
        for (ProxyStream stream : streams) {
            if (stream.streamKind() == key.streamKind() && !version.equals(stream.acknowledged(key))) {
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

    /** The resources that an incomplete proxy has not asked for, in words that follow "to ask for". */
    String toAskFor(Map<ResourceKey, String> wanted) {
        return lacksConfiguration(wanted)
                ? wanted.keySet().stream().filter(key -> !key.isShare()).map(ResourceKey::toString).sorted()
                        .collect(Collectors.joining(" and "))
                : "its shares";
    }

    private long count(StreamKind streamKind) {
        return streams.stream().filter(stream -> stream.streamKind() == streamKind).count();
    }

    /** The proxy's error message when it refused a version that is wanted. */
    Optional<String> refusalOf(Map<ResourceKey, String> wanted) {
        return streams.stream()
                .flatMap(stream -> stream.refusals().values().stream()
                        .filter(refusal -> refusal.refused().entrySet().stream()
                                .anyMatch(refused -> refused.getValue().equals(wanted.get(refused.getKey()))
                                        && !refused.getValue().equals(stream.acknowledged(refused.getKey())))))
                .map(Refusal::error)
                .findFirst();
    }

    /**
     * The resource of the service that the proxy refuses, if any: a wanted one, or one that bears the service's name and that no
     * lease waits for, such as its listener.
     */
    public Optional<RefusedResource> refused(Map<ResourceKey, String> wanted) {
        return streams.stream()
                .flatMap(stream -> stream.refusedOf(key -> key.name().equals(service) || wanted.containsKey(key)))
                .min(Comparator.comparing(refused -> refused.key().toString()));
    }

    /** The proxy's error message for a refused version that no acknowledgement has followed. */
    Optional<String> lastRefusal() {
        return streams.stream().flatMap(stream -> stream.refusals().values().stream()).map(Refusal::error).findFirst();
    }

    /** The version that every stream acknowledged, or empty. */
    public Optional<String> acknowledgedVersion(ResourceKey key) {
        List<String> versions = streams.stream()
                .filter(stream -> stream.streamKind() == key.streamKind())
                .map(stream -> Optional.ofNullable(stream.acknowledged(key)).orElse(""))
                .distinct()
                .toList();
        return versions.size() == 1 && !versions.getFirst().isEmpty()
                ? Optional.of(versions.getFirst())
                : Optional.empty();
    }
}
