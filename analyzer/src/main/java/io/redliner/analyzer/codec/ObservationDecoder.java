// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.analyzer.windowing.OwnLimitEnds;
import io.redliner.contract.sender.StatusSenders;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Histogram;
import io.redliner.contract.v1.Impairment;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import io.redliner.sla.Cancelled;
import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.LatencyHistory;
import io.redliner.sla.OverdueRequests;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Decodes and validates the contract's observation. An observation with impossible values is rejected. */
public final class ObservationDecoder {

    /** Limit of counts. No instance has so many requests in a window, and no sum of such counts overflows. */
    private static final long MAX_COUNT = 1_000_000_000_000L;

    private static final long MAX_STREAMS = 1_000_000;

    /** Parts of a history. */
    private static final long MAX_PARTS = 1_000;

    /** Names of a host. */
    private static final long MAX_HOSTS = 4;

    /** Characters of a host's name. */
    private static final long MAX_HOST = 253;

    private static final long MAX_WINDOW_MILLIS = Duration.ofMinutes(10).toMillis();

    /** Part of an instance's records that may be missing: it cannot move a p99. */
    private static final double TOLERATED_LOSS = 0.01;

    /** Missing records that are always tolerated: a single one comes late now and then, as when a proxy opens a stream. */
    private static final long TOLERATED_RECORDS = 1;

    private static final Map<Impairment, String> IMPAIRMENT_TEXTS = Map.of(Impairment.IMPAIRMENT_LAG,
            "what arrived had to wait before it was read", Impairment.IMPAIRMENT_PAUSE, "its process stood still",
            Impairment.IMPAIRMENT_CPU, "it was short of CPU", Impairment.IMPAIRMENT_STREAM_LOST,
            "a proxy's stream broke, or ended with requests in flight");

    private ObservationDecoder() {}

    /**
     * Decodes an observation.
     *
     * @param live true when there is a run on the service; a summary is then reported as an impairment
     * @throws MalformedRecordException when the value is not an observation of the service
     */
    public static InstanceObservation read(String service, byte[] value, boolean live) throws MalformedRecordException {
        try {
            var observation = Observation.parseFrom(value);
            if (!observation.getService().equals(service) || observation.getInstance().isEmpty()
                    || observation.getCollector().isEmpty()) {
                throw new MalformedRecordException("an observation of instance '" + observation.getInstance()
                        + "' of service '" + observation.getService() + "' by collector '" + observation.getCollector()
                        + "' under the key '" + service + "'");
            }
            within("sequence", observation.getSequence(), Long.MAX_VALUE);
            within("window_start_ms", observation.getWindowStartMs(), Long.MAX_VALUE / 2);
            within("window_length_ms", observation.getWindowLengthMs(), MAX_WINDOW_MILLIS);
            return new InstanceObservation(observation.getCollector(), observation.getSequence(),
                    observation.getInstance(), observation.getWindowStartMs(), measurements(observation),
                    (int) within("proxies", observation.getProxies(), MAX_STREAMS),
                    impairment(observation, live),
                    observation.getRedirectorsList().stream().limit(StatusSenders.MAX_SENDERS).toList());
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            // Anybody may have sent these bytes, so a decoder may fail in any way.
            throw new MalformedRecordException("not an observation", e);
        }
    }

    /** Returns the reason why the collector's own report makes the observation incomplete; empty without one. */
    private static String impairment(Observation observation, boolean live) {
        if (live && observation.getSummary()) {
            return "reports counts of requests alone: it has not received the run";
        }
        if (live && !observation.hasLatency() && observation.getCompleted() > observation.getStreams()) {
            return "reports no latencies with its requests: it is of an older version";
        }
        long missed = within("missed", observation.getMissed(), MAX_COUNT);
        if (missed > TOLERATED_RECORDS && missed > TOLERATED_LOSS * (observation.getCompletedRecords() + missed)) {
            return "could not count " + missed + " records of " + observation.getInstance()
                    + ": they came too late, from the future, or were too many; see its metrics";
        }
        return observation.getImpairmentsCount() == 0
                ? ""
                : "could not measure well: " + observation.getImpairmentsList().stream()
                        .map(impairment -> IMPAIRMENT_TEXTS.getOrDefault(impairment,
                                "it does not say why in words known here"))
                        .distinct().collect(Collectors.joining(", "));
    }

    private static InstanceMeasurements measurements(Observation observation) {
        var measured = measured(observation);
        return new InstanceMeasurements(measured, within("in_flight", observation.getInFlight(), MAX_COUNT),
                within("outside", observation.getOutside(), measured.started()), ownLimits(observation),
                history(observation), hosts(observation));
    }

    private static WindowStats measured(Observation observation) {
        long completed = within("completed", observation.getCompleted(), MAX_COUNT);
        long streams = within("streams", observation.getStreams(), completed);
        return new WindowStats(Duration.ofMillis(observation.getWindowLengthMs()),
                within("started", observation.getStarted(), MAX_COUNT), completed,
                errors(observation.getErrorsList(), error -> true, completed),
                errors(observation.getErrorsList(), ErrorClass.ERROR_CLASS_TIMEOUT::equals, completed),
                LatencyHistogramDecoder.read(observation.getLatency(), completed - streams), cancelled(observation),
                LatencyHistogramDecoder.read(observation.getFirstByte(), completed),
                overdue(observation.getOverdueList()),
                observation.getGaugesMap());
    }

    private static List<LatencyHistory> history(Observation observation) {
        if (!observation.hasHistory()) {
            return List.of();
        }
        var history = observation.getHistory();
        int parts = (int) within("history.requests", history.getRequestsCount(), MAX_PARTS);
        if (history.getLnMeansCount() != parts || history.getLnVariancesCount() != parts) {
            throw new IllegalArgumentException("history has " + parts + " parts, " + history.getLnMeansCount()
                    + " means and " + history.getLnVariancesCount() + " variances");
        }
        long length = within("history.part_length_ms", history.getPartLengthMs(), MAX_WINDOW_MILLIS);
        // The window belongs to the run, so the history ends before it.
        long start = within("history.start_ms", history.getStartMs(), observation.getWindowStartMs() - parts * length);
        return List.of(new LatencyHistory(start, length, IntStream.range(0, parts)
                .mapToObj(part -> new LatencyHistory.Part(
                        within("history.requests", history.getRequests(part), MAX_COUNT), history.getLnMeans(part),
                        history.getLnVariances(part)))
                .toList()));
    }

    private static Set<String> hosts(Observation observation) {
        within("hosts", observation.getHostsCount(), MAX_HOSTS);
        observation.getHostsList().forEach(host -> within("hosts", host.length(), MAX_HOST));
        return observation.getHostsList().stream().filter(host -> !host.isEmpty()).collect(Collectors.toSet());
    }

    private static List<OwnLimitEnds> ownLimits(Observation observation) {
        within("own_limits", observation.getOwnLimitsCount(), OwnLimitKind.values().length);
        return observation.getOwnLimitsList().stream()
                .filter(limit -> limit.getKind() != OwnLimitKind.UNRECOGNIZED
                        && limit.getKind() != OwnLimitKind.OWN_LIMIT_KIND_UNSPECIFIED)
                .map(ObservationDecoder::ownLimit).toList();
    }

    private static OwnLimitEnds ownLimit(OwnLimit limit) {
        long requests = within("own_limits.requests", limit.getRequests(), MAX_COUNT);
        return new OwnLimitEnds(limit.getKind().name(), within("own_limits.value", limit.getValue(), MAX_COUNT),
                within("own_limits.ended", limit.getEnded(), requests), requests);
    }

    private static Cancelled cancelled(Observation observation) {
        long cancelled = within("cancelled", observation.getCancelled(), MAX_COUNT);
        return cancelled == 0
                ? Cancelled.NONE
                : new Cancelled(cancelled, LatencyHistogramDecoder.read(observation.getUnanswered(), cancelled));
    }

    private static List<OverdueRequests> overdue(List<io.redliner.contract.v1.Overdue> entries) {
        return entries.isEmpty()
                ? List.of()
                : entries.stream()
                        .map(entry -> new OverdueRequests(
                                Duration.ofNanos(1_000 * within("limit_micros", entry.getLimitMicros(), MAX_COUNT)),
                                within("newly_overdue", entry.getNewlyOverdue(), MAX_COUNT),
                                within("settled", entry.getSettled(), MAX_COUNT)))
                        .toList();
    }

    /**
     * Sums the errors of some classes. Each failed request is counted once and has ended, so there are at most {@code completed}.
     */
    private static long errors(List<ErrorCount> errors, Predicate<ErrorClass> which, long completed) {
        long sum = 0;
        for (var error : errors) {
            if (which.test(error.getErrorClass())) {
                sum = within("errors", sum + within("errors", error.getCount(), completed), completed);
            }
        }
        return sum;
    }

    /** Checks a number of the contract. Unsigned numbers from 2^63 on are negative in Java. */
    private static long within(String field, long number, long max) {
        if (number < 0 || number > max) {
            throw new IllegalArgumentException(
                    field + " is " + Long.toUnsignedString(number) + ", not 0 to " + max);
        }
        return number;
    }

    /** Decodes and validates the histogram of an observation. */
    private static final class LatencyHistogramDecoder {

        /** Buckets of one histogram. One with three significant digits up to a day has 28 000. */
        private static final int MAX_BUCKETS = 1 << 16;

        /** Highest value of a bucket in microseconds; the end of a higher one could overflow. */
        private static final long MAX_MICROS = 1L << 61;

        private LatencyHistogramDecoder() {}

        /**
         * Decodes a histogram.
         *
         * @param completed requests that ended; a histogram with more requests is rejected
         * @throws IllegalArgumentException when the histogram is impossible
         */
        static LatencyHistogram read(Histogram histogram, long completed) {
            int buckets = histogram.getIncrementsCount();
            if (buckets != histogram.getCountsCount() || buckets > MAX_BUCKETS) {
                throw new IllegalArgumentException(
                        "latency has " + buckets + " buckets and " + histogram.getCountsCount()
                                + " counts; both are the same, up to " + MAX_BUCKETS);
            }
            var latencies = new LatencyHistogram.Builder();
            long micros = 0;
            long sum = 0;
            for (int bucket = 0; bucket < buckets; bucket++) {
                long increment = histogram.getIncrements(bucket);
                long count = histogram.getCounts(bucket);
                if (increment < (bucket == 0 ? 0 : 1) || increment > MAX_MICROS - micros) {
                    throw new IllegalArgumentException("latency has a bucket " + Long.toUnsignedString(increment)
                            + " us above " + micros + "; they ascend, up to " + MAX_MICROS);
                }
                if (count < 1 || count > completed - sum) {
                    throw new IllegalArgumentException("latency has a bucket with " + Long.toUnsignedString(count)
                            + " requests, and not more requests than the " + completed + " that ended are in all");
                }
                micros += increment;
                sum += count;
                latencies.add(micros, count);
            }
            return latencies.build();
        }
    }
}
