// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import io.redliner.redirector.envoy.ShareStream.Said;
import io.redliner.redirector.envoy.ShareStream.Wire;
import java.util.concurrent.atomic.AtomicLong;

/** Opens and closes streams of shares, on whatever gRPC stream they travel. */
final class ShareSession {

    /** Makes sessions. */
    static final class Maker {

        private final ShareStreams streams;

        private final ProxyEventHandler events;

        private final AtomicLong numbers = new AtomicLong();

        Maker(ShareStreams streams, ProxyEventHandler events) {
            this.streams = streams;
            this.events = events;
        }

        ShareSession open(Wire wire) {
            StreamId id = new StreamId(StreamKind.SHARES, numbers.incrementAndGet());
            return new ShareSession(streams, events, new ShareStream(id, wire, events));
        }
    }

    private final ShareStreams streams;

    private final ProxyEventHandler events;

    private final ShareStream stream;

    private ShareSession(ShareStreams streams, ProxyEventHandler events, ShareStream stream) {
        this.streams = streams;
        this.events = events;
        this.stream = stream;
    }

    void take(Said said) {
        streams.take(stream, said);
    }

    /** May be called more than once. */
    void close() {
        streams.close(stream);
        events.closed(stream.id());
    }
}
