// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.analyzer.windowing.OwnLimitEnds;
import io.redliner.contract.sender.StatusSenders;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Impairment;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import io.redliner.sla.Cancelled;
import io.redliner.sla.LatencyHistory;
import io.redliner.sla.OverdueRequests;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Decodes and validates the contract's observation. An observation with impossible values is rejected. */
public final class ObservationDecoder {

    /** No instance has so many requests in a window, and no sum of such counts overflows. */
    private static final long MOST = 1_000_000_000_000L;

    private static final long MAX_STREAMS = 1_000_000;

    /** Parts of a history. */
    private static final long MAX_PARTS = 1_000;

    private static final long MAX_WINDOW_MILLIS = Duration.ofMinutes(10).toMillis();

    /** Of the records of an instance; a p99 is not moved by fewer. */
    private static final double TOLERATED_LOSS = 0.01;

    /** One record comes late now and then, as when a proxy opens a stream. */
    private static final long TOLERATED_RECORDS = 1;

    private static final Map<Impairment, String> WORDS = Map.of(Impairment.IMPAIRMENT_LAG,
            "what arrived had to wait before it was read", Impairment.IMPAIRMENT_PAUSE, "its process stood still",
            Impairment.IMPAIRMENT_CPU, "it was short of CPU", Impairment.IMPAIRMENT_STREAM_LOST,
            "a proxy's stream broke, or ended with requests in flight");

    private ObservationDecoder() {}

    /**
     * Reads one.
     *
     * @param live whether there is a run on the service, which a summary is too little for
     * @throws MalformedRecordException when it is no observation of the service
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
            var measured = measured(observation);
            return new InstanceObservation(observation.getCollector(), observation.getSequence(),
                    observation.getInstance(),
                    observation.getWindowStartMs(), measured, within("in_flight", observation.getInFlight(), MOST),
                    within("outside", observation.getOutside(), measured.started()),
                    (int) within("proxies", observation.getProxies(), MAX_STREAMS),
                    doubt(observation, live),
                    observation.getRedirectorsList().stream().limit(StatusSenders.MAX_SENDERS).toList(),
                    ownLimits(observation), history(observation));
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            // Whatever a decoder makes of bytes that anybody may have sent.
            throw new MalformedRecordException("not an observation", e);
        }
    }

    /** What the collector itself says against what it measured. */
    private static String doubt(Observation observation, boolean live) {
        if (live && observation.getSummary()) {
            return "reports counts of requests alone: it has not received the run";
        }
        if (live && !observation.hasLatency() && observation.getCompleted() > observation.getStreams()) {
            return "reports no latencies with its requests: it is of an older version";
        }
        long missed = within("missed", observation.getMissed(), MOST);
        if (missed > TOLERATED_RECORDS && missed > TOLERATED_LOSS * (observation.getCompletedRecords() + missed)) {
            return "could not count " + missed + " records of " + observation.getInstance()
                    + ": they came too late, from the future, or were too many; see its metrics";
        }
        return observation.getImpairmentsCount() == 0
                ? ""
                : "could not measure well: " + observation.getImpairmentsList().stream()
                        .map(impairment -> WORDS.getOrDefault(impairment, "it does not say why in words known here"))
                        .distinct().collect(Collectors.joining(", "));
    }

    private static WindowStats measured(Observation observation) {
        long completed = within("completed", observation.getCompleted(), MOST);
        long streams = within("streams", observation.getStreams(), completed);
        return new WindowStats(Duration.ofMillis(observation.getWindowLengthMs()),
                within("started", observation.getStarted(), MOST), completed,
                errors(observation.getErrorsList(), error -> true, completed),
                errors(observation.getErrorsList(), ErrorClass.ERROR_CLASS_TIMEOUT::equals, completed),
                LatencyHistogramDecoder.read(observation.getLatency(), completed - streams), cancelled(observation),
                LatencyHistogramDecoder.read(observation.getFirstByte(), completed),
                overdue(observation.getOverdueList()),
                observation.getGaugesMap());
    }

    private static Optional<LatencyHistory> history(Observation observation) {
        if (!observation.hasHistory()) {
            return Optional.empty();
        }
        var history = observation.getHistory();
        int parts = (int) within("history.requests", history.getRequestsCount(), MAX_PARTS);
        if (history.getLnMeansCount() != parts || history.getLnVariancesCount() != parts) {
            throw new IllegalArgumentException("history has " + parts + " parts, " + history.getLnMeansCount()
                    + " means and " + history.getLnVariancesCount() + " variances");
        }
        long length = within("history.part_length_ms", history.getPartLengthMs(), MAX_WINDOW_MILLIS);
        // The window is of the run, so the history is over when it begins.
        long start = within("history.start_ms", history.getStartMs(), observation.getWindowStartMs() - parts * length);
        return Optional.of(new LatencyHistory(start, length, IntStream.range(0, parts)
                .mapToObj(part -> new LatencyHistory.Part(
                        within("history.requests", history.getRequests(part), MOST), history.getLnMeans(part),
                        history.getLnVariances(part)))
                .toList()));
    }

    private static List<OwnLimitEnds> ownLimits(Observation observation) {
        within("own_limits", observation.getOwnLimitsCount(), OwnLimitKind.values().length);
        return observation.getOwnLimitsList().stream()
                .filter(limit -> limit.getKind() != OwnLimitKind.UNRECOGNIZED
                        && limit.getKind() != OwnLimitKind.OWN_LIMIT_KIND_UNSPECIFIED)
                .map(ObservationDecoder::ownLimit).toList();
    }

    private static OwnLimitEnds ownLimit(OwnLimit limit) {
        long requests = within("own_limits.requests", limit.getRequests(), MOST);
        return new OwnLimitEnds(limit.getKind().name(), within("own_limits.value", limit.getValue(), MOST),
                within("own_limits.ended", limit.getEnded(), requests), requests);
    }

    private static Cancelled cancelled(Observation observation) {
        long cancelled = within("cancelled", observation.getCancelled(), MOST);
        return cancelled == 0
                ? Cancelled.NONE
                : new Cancelled(cancelled, LatencyHistogramDecoder.read(observation.getUnanswered(), cancelled));
    }

    private static List<OverdueRequests> overdue(List<io.redliner.contract.v1.Overdue> entries) {
        return entries.isEmpty()
                ? List.of()
                : entries.stream()
                        .map(entry -> new OverdueRequests(
                                Duration.ofNanos(1_000 * within("limit_micros", entry.getLimitMicros(), MOST)),
                                within("newly_overdue", entry.getNewlyOverdue(), MOST),
                                within("settled", entry.getSettled(), MOST)))
                        .toList();
    }

    /** Each failed request is counted once, and has ended. */
    private static long errors(List<ErrorCount> errors, Predicate<ErrorClass> which, long completed) {
        long sum = 0;
        for (var error : errors) {
            if (which.test(error.getErrorClass())) {
                sum = within("errors", sum + within("errors", error.getCount(), completed), completed);
            }
        }
        return sum;
    }

    /** An unsigned number of the contract is negative in Java when it is 2^63 or more. */
    private static long within(String field, long number, long most) {
        if (number < 0 || number > most) {
            throw new IllegalArgumentException(
                    field + " is " + Long.toUnsignedString(number) + ", not 0 to " + most);
        }
        return number;
    }
}
