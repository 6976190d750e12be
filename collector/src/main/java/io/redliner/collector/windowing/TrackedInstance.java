// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import java.time.Instant;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An instance that live proxy streams have sent requests to. */
final class TrackedInstance {

    private final Set<RequestRecordStream> streams = new HashSet<>();

    /** The fractions of the starts' weights that were not counted yet, so that their sum is never off by 1 or more. */
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
    void recordArrived(RequestRecordStream stream, Instant now) {
        if (stream != lastStream) {
            lastStream = stream;
            streams.add(stream);
            knownSince = knownSince.isBefore(stream.openedAt()) ? knownSince : stream.openedAt();
        }
        lastRecordAt = now;
    }

    /** Returns the number of requests that a record is counted as. */
    int weigh(RequestRecord record) {
        boolean start = record.kind() == RecordKind.START;
        double weight = record.weight() + (start ? carriedStarts : carriedEnds);
        int whole = (int) weight;
        if (start) {
            carriedStarts = weight - whole;
        } else {
            carriedEnds = weight - whole;
        }
        return whole;
    }

    /** Counts a record of the instance that is in no window. */
    void countMissed() {
        missed++;
    }

    /** Takes the age of an end when it came. */
    void noteLag(long millis) {
        lag = Math.min(lag, millis);
    }

    /** Returns the smallest age since the last call; empty when no end came. */
    OptionalLong takeLag() {
        OptionalLong taken = lag == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(lag);
        lag = Long.MAX_VALUE;
        return taken;
    }

    /** Returns the number of missed records since the last call. */
    long takeMissed() {
        long taken = missed;
        missed = 0;
        return taken;
    }

    /** Forgets a closed stream. Returns false when no other one reports the instance. */
    boolean removeStream(RequestRecordStream closed) {
        streams.remove(closed);
        lastStream = null;
        return !streams.isEmpty();
    }

    /** Returns whether a stream was open before the window's end, so that silence means no traffic. */
    boolean watchedBefore(Instant windowEnd) {
        return knownSince.isBefore(windowEnd);
    }

    boolean idleSince(Instant time) {
        return lastRecordAt.isBefore(time);
    }
}
