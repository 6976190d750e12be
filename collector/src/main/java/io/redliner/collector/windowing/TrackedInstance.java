// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Instant;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An instance that live proxy streams have sent requests to. */
final class TrackedInstance {

    private final Set<RequestRecordStream> streams = new HashSet<>();

    /** What the weights of starts and ends were above whole numbers, so that their sums are never off by 1 or more. */
    private double carriedStarts;

    private double carriedEnds;

    private @Nullable RequestRecordStream lastStream;

    private Instant knownSince = Instant.MAX;

    private Instant lastRecordAt = Instant.MIN;

    private long missed;

    /** The smallest age at which a record came, in milliseconds; below 0: from the future. */
    private long lag = Long.MAX_VALUE;

    // Streams are compared by identity; nearly always it is the one before.
    @SuppressWarnings("ReferenceEquality")
    void seen(RequestRecordStream stream, Instant now) {
        if (stream != lastStream) {
            lastStream = stream;
            streams.add(stream);
            knownSince = knownSince.isBefore(stream.openedAt()) ? knownSince : stream.openedAt();
        }
        lastRecordAt = now;
    }

    /** How many requests a record is to be counted as. */
    int weigh(RequestRecord report) {
        boolean start = report.kind() == RecordKind.START;
        double weight = report.weight() + (start ? carriedStarts : carriedEnds);
        int whole = (int) weight;
        if (start) {
            carriedStarts = weight - whole;
        } else {
            carriedEnds = weight - whole;
        }
        return whole;
    }

    /** A record of the instance is in no window. */
    void miss() {
        missed++;
    }

    /** A record of an end was so old when it came. */
    void lag(long millis) {
        lag = Math.min(lag, millis);
    }

    /** The smallest age since this was asked last; empty when no end came. */
    OptionalLong takeLag() {
        OptionalLong taken = lag == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(lag);
        lag = Long.MAX_VALUE;
        return taken;
    }

    /** How many were missed since this was asked last. */
    long takeMissed() {
        long taken = missed;
        missed = 0;
        return taken;
    }

    /** Nobody watches it any more when this gives false. */
    boolean watchedWithout(RequestRecordStream closed) {
        streams.remove(closed);
        lastStream = null;
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
