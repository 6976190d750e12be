// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.StatusRuntimeException;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All proxies' streams of runtime resources, and what they are to have. Safe for use by several threads. */
final class ShareStreams {

    private static final Logger LOGGER = LoggerFactory.getLogger(ShareStreams.class);

    private final InstantSource clock;

    private final Set<ShareStream> streams = new LinkedHashSet<>();

    private @Nullable ShareOverrides current;

    ShareStreams(InstantSource clock) {
        this.clock = clock;
    }

    /** To every proxy: new weights, or the same for a further while. */
    synchronized void publish(ShareOverrides overrides) {
        if (overrides.equals(current)) {
            return;
        }
        current = overrides;
        streams.forEach(stream -> send(stream, overrides));
    }

    synchronized void open(ShareStream stream) {
        streams.add(stream);
    }

    synchronized void close(ShareStream stream) {
        streams.remove(stream);
    }

    synchronized void take(ShareStream stream, DiscoveryRequest request) {
        if (stream.take(request) && current != null) {
            send(stream, current);
        }
    }

    private void send(ShareStream stream, ShareOverrides overrides) {
        try {
            stream.send(overrides, clock.instant());
        } catch (StatusRuntimeException | IllegalStateException gone) {
            // Its end is told to it by gRPC as well; the others must get theirs.
            LOGGER.debug("share stream {} is gone", stream.id(), gone);
        }
    }
}
