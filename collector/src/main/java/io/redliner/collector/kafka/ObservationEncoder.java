// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.contract.histogram.Histograms;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Impairment;
import io.redliner.contract.v1.LatencyHistory;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import io.redliner.contract.v1.OwnLimit;
import io.redliner.contract.v1.OwnLimitKind;
import java.util.Collection;

/** Encodes closed windows as the contract's observations. */
public final class ObservationEncoder {

    private static final int NANOS_IN_MICRO = 1_000;

    private final String collector;

    /**
     * Creates the encoder of one collector.
     *
     * @param collector this process, by a name that is new with each start
     */
    public ObservationEncoder(String collector) {
        this.collector = collector;
    }

    /**
     * Encodes one window.
     *
     * @param redirectors the redirectors whose proxies report requests of the service
     * @param hosts names of the machine that the instance runs on; empty when none is known
     */
    public Observation encode(WindowCounts window, Collection<String> redirectors, Collection<String> hosts) {
        Observation.Builder observation = Observation.newBuilder().setService(window.service())
                .setInstance(window.instance()).setCollector(collector).setSequence(window.sequence())
                .setWindowStartMs(window.start().toEpochMilli()).setWindowLengthMs(window.length().toMillis())
                .putAllGauges(window.gauges()).setProxies(window.proxies()).setMissed(window.missed())
                .setSummary(window.summary()).addAllRedirectors(redirectors).addAllHosts(hosts);
        writeRequests(window, observation);
        window.impairments().stream().sorted()
                .forEach(impairment -> observation.addImpairments(reason(impairment)));
        window.ownLimits().forEach(limit -> observation.addOwnLimits(OwnLimit.newBuilder().setKind(kind(limit.limit()))
                .setValue(limit.value()).setEnded(limit.ended()).setRequests(limit.requests())));
        window.history().ifPresent(history -> observation.setHistory(history(history)));
        return observation.build();
    }

    private static LatencyHistory history(io.redliner.collector.windowing.LatencyHistory history) {
        LatencyHistory.Builder encoded = LatencyHistory.newBuilder().setStartMs(history.start().toEpochMilli())
                .setPartLengthMs(history.partLength().toMillis());
        history.parts().forEach(part -> encoded.addRequests(part.requests()).addLnMeans((float) part.lnMean())
                .addLnVariances((float) part.lnVariance()));
        return encoded.build();
    }

    private static void writeRequests(WindowCounts requests, Observation.Builder observation) {
        observation.setStarted(requests.started()).setOutside(requests.outside()).setCompleted(requests.completed())
                .setCompletedRecords(requests.completedRecords()).setInFlight(requests.inFlight())
                .setCancelled(requests.cancelled()).setStreams(requests.streams());
        requests.errors().forEach((kind, count) -> observation
                .addErrors(ErrorCount.newBuilder().setErrorClass(errorClass(kind)).setCount(count)));
        requests.latency().ifPresent(latency -> observation.setLatency(Histograms.encode(latency)));
        requests.firstByte().ifPresent(times -> observation.setFirstByte(Histograms.encode(times)));
        requests.unanswered().ifPresent(ages -> observation.setUnanswered(Histograms.encode(ages)));
        for (OverdueCount overdue : requests.overdue()) {
            observation.addOverdue(Overdue.newBuilder().setLimitMicros(overdue.limit().toNanos() / NANOS_IN_MICRO)
                    .setNewlyOverdue(overdue.newlyOverdue()).setSettled(overdue.settled()));
        }
    }

    private static ErrorClass errorClass(io.redliner.collector.windowing.RequestError kind) {
        return switch (kind) {
            case SERVER -> ErrorClass.ERROR_CLASS_SERVER;
            case TIMEOUT -> ErrorClass.ERROR_CLASS_TIMEOUT;
            case CONNECT -> ErrorClass.ERROR_CLASS_CONNECT;
            case RESET -> ErrorClass.ERROR_CLASS_RESET;
            case REFUSED_BY_PROXY -> ErrorClass.ERROR_CLASS_REFUSED_BY_PROXY;
        };
    }

    private static OwnLimitKind kind(ProxyLimit limit) {
        return switch (limit) {
            case ROUTE_TIMEOUT -> OwnLimitKind.OWN_LIMIT_KIND_ROUTE_TIMEOUT;
            case IDLE_TIMEOUT -> OwnLimitKind.OWN_LIMIT_KIND_IDLE_TIMEOUT;
            case CIRCUIT_BREAKER -> OwnLimitKind.OWN_LIMIT_KIND_CIRCUIT_BREAKER;
        };
    }

    private static Impairment reason(io.redliner.collector.windowing.DegradationReason reason) {
        return switch (reason) {
            case LAG -> Impairment.IMPAIRMENT_LAG;
            case PAUSE -> Impairment.IMPAIRMENT_PAUSE;
            case CPU -> Impairment.IMPAIRMENT_CPU;
            case STREAM_LOST -> Impairment.IMPAIRMENT_STREAM_LOST;
        };
    }
}
