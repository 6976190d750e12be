// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Instant;
import java.util.HashSet;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** The live proxy streams of one service, and how many records unknown proxies sent. Guarded by the lock of {@link ServiceAggregator}. */
final class ServiceStreams {

    private final Set<RequestRecordStream> streams = new HashSet<>();

    private final ProxyRegistry registry;

    /** Records of unknown proxies since the last window. */
    private long unknownRecords;

    ServiceStreams(ProxyRegistry registry) {
        this.registry = registry;
    }

    void open(RequestRecordStream stream) {
        streams.add(stream);
    }

    void close(RequestRecordStream stream) {
        streams.remove(stream);
        stream.close();
    }

    /** The proxies that redirectors list. */
    ProxyRegistry registry() {
        return registry;
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    /** All of them. */
    int size() {
        return streams.size();
    }

    /** Those whose records count, or soon may. */
    int counting() {
        return Math.toIntExact(streams.size() - unknown().count());
    }

    /** Those of unknown proxies. */
    Stream<RequestRecordStream> unknown() {
        return streams.stream().filter(RequestRecordStream::isUnknown);
    }

    /** Counts a record of an unknown proxy. */
    void countUnknown() {
        unknownRecords++;
    }

    /** Records of unknown proxies since the last call; empty without a list of the known ones. */
    OptionalDouble takeUnknown(Instant now) {
        OptionalDouble taken = registry.isCurrent(now)
                ? OptionalDouble.of((double) unknownRecords)
                : OptionalDouble.empty();
        unknownRecords = 0;
        return taken;
    }

    /** The time up to which all of them have reported ends of requests, in milliseconds since the epoch; the given one without any. */
    long reportedUntil(long without) {
        return streams.stream().filter(stream -> !stream.isUnknown()).mapToLong(RequestRecordStream::reportedUntil)
                .reduce(without, Math::min);
    }
}
