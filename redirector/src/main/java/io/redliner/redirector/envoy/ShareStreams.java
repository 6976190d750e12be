// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.grpc.StatusRuntimeException;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All proxies' streams of runtime resources, and what they are to have. Safe for use by several threads. */
final class ShareStreams {

    private static final Logger LOGGER = LoggerFactory.getLogger(ShareStreams.class);

    /** How long a proxy that may have a share in force is not answered while it is not known whether it may keep it. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final InstantSource clock;

    private final Map<StreamId, ShareStream> streams = new HashMap<>();

    private final Map<String, Set<ShareStream>> byGroup = new HashMap<>();

    /** By group and service, only shares that are not natural. */
    private final Map<String, Map<String, RuntimeOverride>> shares = new HashMap<>();

    private final Set<String> touched = new HashSet<>();

    /** Groups that are told nothing for now. */
    private Set<String> suspended = Set.of();

    private boolean begun;

    ShareStreams(InstantSource clock) {
        this.clock = clock;
    }

    /** Goes out with the next {@link #send}. */
    synchronized void put(String group, String service, Optional<RuntimeOverride> share) {
        Map<String, RuntimeOverride> own = shares.computeIfAbsent(group, first -> new TreeMap<>());
        share.ifPresentOrElse(known -> own.put(service, known), () -> own.remove(service));
        touched.add(group);
    }

    synchronized void suspend(Set<String> groups) {
        touched.addAll(suspended);
        suspended = Set.copyOf(groups);
    }

    /** The proxies have to show anew that they have what the service's share needs. */
    synchronized void dismissAll(String group, String service) {
        byGroup.getOrDefault(group, Set.of()).forEach(stream -> stream.dismiss(service));
        touched.add(group);
    }

    synchronized void admit(StreamId id, String service) {
        ShareStream stream = streams.get(id);
        if (stream != null) {
            stream.admit(service);
            touched.add(stream.group());
        }
    }

    synchronized void send() {
        begun = true;
        Instant now = clock.instant();
        streams.values().stream()
                .filter(stream -> stream.due().filter(until -> !until.isAfter(now)).isPresent())
                .forEach(stream -> touched.add(stream.group()));
        for (String group : touched) {
            byGroup.getOrDefault(group, Set.of()).forEach(stream -> send(stream, now));
        }
        touched.clear();
    }

    synchronized void close(ShareStream stream) {
        streams.remove(stream.id());
        Set<ShareStream> own = byGroup.get(stream.group());
        if (own != null && own.remove(stream) && own.isEmpty()) {
            byGroup.remove(stream.group());
        }
    }

    synchronized void take(ShareStream stream, ShareStream.Said said) {
        boolean first = !stream.announced();
        boolean waits = stream.take(said);
        if (first) {
            streams.put(stream.id(), stream);
            byGroup.computeIfAbsent(stream.group(), group -> new LinkedHashSet<>()).add(stream);
        }
        if (waits && begun) {
            send(stream, clock.instant());
        }
    }

    private void send(ShareStream stream, Instant now) {
        if (suspended.contains(stream.group())) {
            return;
        }
        try {
            stream.send(shares.getOrDefault(stream.group(), Map.of()), now, PATIENCE);
        } catch (StatusRuntimeException | IllegalStateException gone) {
            // Its end is told to it by gRPC as well; the others must get theirs.
            LOGGER.debug("share stream {} is gone", stream.id(), gone);
        }
    }
}
