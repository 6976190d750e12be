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

    /**
     * Fraction of the starts' weights that is not counted yet. It is carried over, so that the sum of the counts is off by less
     * than 1.
     */
    private double carriedStarts;

    private double carriedEnds;

    private @Nullable RequestRecordStream lastStream;

    private Instant knownSince = Instant.MAX;

    private Instant lastRecordAt = Instant.MIN;

    private long missed;

    /** Smallest age of a record at its arrival, in ms; negative when the proxy's clock is ahead. */
    private long lag = Long.MAX_VALUE;

    // Streams are compared by identity. Nearly every record comes from the same stream as the record before.
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

    /** Counts a record of the instance that belongs to no window. */
    void countMissed() {
        missed++;
    }

    /** Notes the age of an end at its arrival, in ms. */
    void noteLag(long millis) {
        lag = Math.min(lag, millis);
    }

    /** Returns the smallest age since the last call, in ms; empty when no end has arrived. */
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

    /** Removes a closed stream. Returns false when no other stream reports the instance. */
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
