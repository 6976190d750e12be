// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** An instance that live proxy streams have sent requests to. */
final class KnownInstance {

    private final Set<ProxyStream> streams = new HashSet<>();

    private Instant knownSince = Instant.MAX;

    private Instant lastRecordAt = Instant.MIN;

    void seen(ProxyStream stream, Instant now) {
        streams.add(stream);
        knownSince = knownSince.isBefore(stream.openedAt()) ? knownSince : stream.openedAt();
        lastRecordAt = now;
    }

    /** Nobody watches it any more when this gives false. */
    boolean watchedWithout(ProxyStream closed) {
        streams.remove(closed);
        return !streams.isEmpty();
    }

    /** Whether its silence in a window means that there was no traffic: a stream was there to tell. */
    boolean watchedBefore(Instant windowEnd) {
        return knownSince.isBefore(windowEnd);
    }

    boolean idleSince(Instant time) {
        return lastRecordAt.isBefore(time);
    }
}
