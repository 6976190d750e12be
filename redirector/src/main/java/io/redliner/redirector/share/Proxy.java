// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.share.ProxyStream.Refusal;
import io.redliner.redirector.share.ResourceKey.Channel;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A proxy by its node id, with all its open streams. When two proxies share a node id by mistake, or an old stream has
 * not been found dead yet, each stream has to acknowledge for itself: rather a false alarm than a false proof.
 */
public record Proxy(String node, List<ProxyStream> streams) {

    public Proxy {
        streams = List.copyOf(streams);
        if (streams.isEmpty()) {
            throw new IllegalArgumentException("proxy " + node + " without a stream");
        }
    }

    /** Whether it takes its configuration from here; with a share stream alone it carries no traffic of ours. */
    public boolean connected() {
        return count(Channel.CONFIGURATION) > 0;
    }

    Instant newestStream() {
        return streams.stream().map(ProxyStream::openedAt).max(Comparator.naturalOrder()).orElseThrow();
    }

    /** Of what is wanted, everything that an open stream has not acknowledged, as {@code KIND name}. */
    List<String> owing(Map<ResourceKey, String> wanted) {
        return wanted.entrySet().stream()
                .filter(entry -> streams.stream()
                        .filter(stream -> stream.channel() == entry.getKey().kind().channel())
                        .anyMatch(stream -> !entry.getValue().equals(stream.acknowledged().get(entry.getKey()))))
                .map(entry -> entry.getKey().kind() + " " + entry.getKey().name())
                .sorted()
                .toList();
    }

    /**
     * Whether a stream is still to come: after a break a proxy opens its streams one by one, up to half a minute apart.
     */
    boolean incomplete() {
        return count(Channel.SHARES) < count(Channel.CONFIGURATION);
    }

    private long count(Channel channel) {
        return streams.stream().filter(stream -> stream.channel() == channel).count();
    }

    /** The proxy's words when it refused just what is wanted. */
    Optional<String> refusalOf(Map<ResourceKey, String> wanted) {
        return streams.stream()
                .flatMap(stream -> stream.refusals().values().stream()
                        .filter(refusal -> wanted.entrySet().stream()
                                .anyMatch(entry -> entry.getValue().equals(refusal.refused().get(entry.getKey()))
                                        && !entry.getValue().equals(stream.acknowledged().get(entry.getKey())))))
                .map(Refusal::error)
                .findFirst();
    }

    /** The proxy's words when it last refused anything and did not take a later one. */
    public Optional<String> lastRefusal() {
        return streams.stream().flatMap(stream -> stream.refusals().values().stream()).map(Refusal::error).findFirst();
    }

    /** The version that every stream acknowledged, or empty. */
    Optional<String> acknowledgedVersion(ResourceKey key) {
        List<String> versions = streams.stream()
                .filter(stream -> stream.channel() == key.kind().channel())
                .map(stream -> stream.acknowledged().getOrDefault(key, ""))
                .distinct()
                .toList();
        return versions.size() == 1 && !versions.getFirst().isEmpty()
                ? Optional.of(versions.getFirst())
                : Optional.empty();
    }
}
