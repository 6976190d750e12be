// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ProxyStream.RefusedResource;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import io.redliner.redirector.routing.Redirect;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A proxy by its node id, as far as one service goes, with all its open streams. When two proxies share a node id by mistake, or an old stream has
 * not been found dead yet, each stream has to acknowledge for itself: rather a false alarm than a false proof.
 *
 * @param requestsPerSecond how many of the service's requests it sends on; empty when that is not known
 */
public record Proxy(String node, String service, List<ProxyStream> streams, OptionalDouble requestsPerSecond) {

    public Proxy {
        if (streams.isEmpty()) {
            throw new IllegalArgumentException("proxy " + node + " without a stream");
        }
    }

    /** Whether requests to the service pass through it. */
    boolean carries() {
        return streams.stream().anyMatch(stream -> stream.carries(service));
    }

    /** What it runs by one of its streams, where that does not know the mode; empty when it knows it. */
    Optional<ProxySoftware> without(Redirect.Mode mode) {
        return streams.stream().map(ProxyStream::software).filter(software -> !software.modes().contains(mode))
                .findFirst();
    }

    /** From when on it can have been expected to answer. */
    Instant answerableFrom() {
        return streams.stream().map(stream -> stream.answerableFrom(service)).max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Of what is wanted, everything that an open stream has not acknowledged, as {@code TYPE name}. */
    List<String> owing(Map<ResourceKey, String> wanted) {
        return wanted.entrySet().stream()
                .filter(entry -> owes(entry.getKey(), entry.getValue()))
                .map(entry -> entry.getKey().toString())
                .sorted()
                .toList();
    }

    /** Whether something that is wanted has not been acknowledged, or not even been asked for. */
    public boolean owesAny(Map<ResourceKey, String> wanted) {
        return lacksConfiguration(wanted) || owesToOpenStream(wanted);
    }

    /** Whether an open stream has not acknowledged something that is wanted. */
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
            if (stream.channel() == key.channel() && !version.equals(stream.acknowledged(key))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a stream of shares is still to come: an owner's configuration may lack the runtime layer. */
    private boolean lacksShares() {
        return count(StreamKind.SHARES) < count(StreamKind.CONFIGURATION);
    }

    /** Whether the proxy gets nothing but shares here, and something else is wanted. */
    private boolean lacksConfiguration(Map<ResourceKey, String> wanted) {
        return count(StreamKind.CONFIGURATION) == 0 && wanted.keySet().stream().anyMatch(key -> !key.isShare());
    }

    /** Whether a stream is still to come. */
    public boolean incomplete(Map<ResourceKey, String> wanted) {
        return lacksShares() || lacksConfiguration(wanted);
    }

    /** What the proxy has not even asked for, after "to ask for"; of an incomplete one. */
    String toAskFor(Map<ResourceKey, String> wanted) {
        return lacksConfiguration(wanted)
                ? wanted.keySet().stream().filter(key -> !key.isShare()).map(ResourceKey::toString).sorted()
                        .collect(Collectors.joining(" and "))
                : "its shares";
    }

    private long count(StreamKind channel) {
        return streams.stream().filter(stream -> stream.channel() == channel).count();
    }

    /** The proxy's words when it refused just what is wanted. */
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
     * What the proxy refuses of the service, if anything: of what is wanted, or of what has the service's name and nobody waits
     * for, such as its listener.
     */
    public Optional<RefusedResource> refused(Map<ResourceKey, String> wanted) {
        return streams.stream()
                .flatMap(stream -> stream.refusedOf(key -> key.name().equals(service) || wanted.containsKey(key)))
                .min(Comparator.comparing(refused -> refused.key().toString()));
    }

    /** The proxy's words when it last refused anything and did not take a later one. */
    Optional<String> lastRefusal() {
        return streams.stream().flatMap(stream -> stream.refusals().values().stream()).map(Refusal::error).findFirst();
    }

    /** The version that every stream acknowledged, or empty. */
    public Optional<String> acknowledgedVersion(ResourceKey key) {
        List<String> versions = streams.stream()
                .filter(stream -> stream.channel() == key.channel())
                .map(stream -> Optional.ofNullable(stream.acknowledged(key)).orElse(""))
                .distinct()
                .toList();
        return versions.size() == 1 && !versions.getFirst().isEmpty()
                ? Optional.of(versions.getFirst())
                : Optional.empty();
    }
}
