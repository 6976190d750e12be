// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.contract.histogram.Histograms;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * The service's users, its instances, and the collector that measures them. The world counts the harm by itself: requests
 * at the SUT that were late or refused while it had more than its natural share, and until its queue has gone.
 */
final class Users {

    static final String SUT = "127.0.0.1:9001";

    static final List<String> PEERS = List.of("127.0.0.1:9002", "127.0.0.1:9003");

    /** Requests of a peer are counted in so many. */
    private static final int GRAIN = 20;

    private static final double PEER_LATENCY = 0.003;

    private static final long QUEUE_GONE = 2000;

    private static final Map<Long, io.redliner.contract.v1.Histogram> PEER_LATENCIES = new ConcurrentHashMap<>();

    private final Scenario scenario;

    private final String service;

    private final SplittableRandom random;

    private final long limitMicros;

    private final Sut sut;

    private double rate;

    private double peersFailing;

    private long flownTo;

    private int share;

    private long movedUntil = Long.MIN_VALUE;

    private double peerRequests;

    private long harmed;

    private long sequence;

    private double highestLoad;

    Users(Scenario scenario, String service, SplittableRandom random) {
        this.scenario = scenario;
        this.service = service;
        this.random = random;
        this.rate = scenario.rate();
        this.share = scenario.naturalPpm();
        this.limitMicros = limitMillis(scenario) * 1000;
        this.sut = new Sut(limitMicros / 1e6, random.split());
    }

    /** Of the SLA, so that the knee is where it is to be. */
    static long limitMillis(Scenario scenario) {
        return Math.round(1000 * Sut.KNEE * Sut.LIMIT / scenario.constructedCapacity());
    }

    void slowDown(double factor) {
        sut.slowDown(factor);
    }

    void leave(double part, long now) {
        flow(now, share);
        rate *= 1 - part;
    }

    void comeBack(long now) {
        flow(now, share);
        rate = scenario.rate();
    }

    void peersFail(double part) {
        peersFailing = part;
    }

    double harmed() {
        return harmed;
    }

    /** Requests/s that began at the SUT in its busiest window. */
    double highestLoad() {
        return highestLoad;
    }

    /** All requests up to now went where they were to go; from now on the SUT gets this share. */
    void flow(long now, int nextShare) {
        if (now > flownTo) {
            double requests = rate * share / 1e6;
            long late = sut.arrive(flownTo / 1e3, now / 1e3, requests);
            if (share > scenario.naturalPpm()) {
                movedUntil = now + QUEUE_GONE;
            }
            if (flownTo < movedUntil) {
                harmed += late;
            }
            peerRequests += (rate - requests) * (now - flownTo) / 1e3;
            flownTo = now;
        }
        share = nextShare;
    }

    int share() {
        return share;
    }

    /** What the collector says of the window that ends now. */
    void observe(long now, long length, Consumer<byte[]> observations) {
        flow(now, share);
        Sut.Window window = sut.close(now / 1e3);
        highestLoad = Math.max(highestLoad, 1e3 * window.started() / length);
        observations.accept(observation(SUT, now - length, length)
                .setStarted(window.started()).setCompleted(window.completed())
                .setCompletedRecords(window.completed())
                .addAllErrors(window.refused() == 0 ? List.of() : List.of(errors(window.refused())))
                .setLatency(Histograms.encode(window.latency())).setInFlight(window.inFlight())
                .addOverdue(Overdue.newBuilder().setLimitMicros(limitMicros).setNewlyOverdue(window.late())
                        .setSettled(window.settled()))
                .putGauges("cpu", window.busy()).build().toByteArray());
        for (String peer : PEERS) {
            long requests = Math.round(peerRequests / PEERS.size() / GRAIN * (0.98 + 0.04 * random.nextDouble()))
                    * GRAIN;
            long failed = Math.round(peersFailing * requests);
            observations.accept(observation(peer, now - length, length).setStarted(requests).setCompleted(requests)
                    .setCompletedRecords(requests)
                    .addAllErrors(failed == 0 ? List.of() : List.of(errors(failed)))
                    .setLatency(PEER_LATENCIES.computeIfAbsent(requests / GRAIN, Users::peerLatencies))
                    .addOverdue(Overdue.newBuilder().setLimitMicros(limitMicros)).putGauges("cpu", 0.3).build()
                    .toByteArray());
        }
        peerRequests = 0;
    }

    private Observation.Builder observation(String instance, long start, long length) {
        return Observation.newBuilder().setService(service).setInstance(instance).setCollector("collector")
                .setSequence(++sequence).setWindowStartMs(VirtualTime.START.toEpochMilli() + start)
                .setWindowLengthMs(length).setProxies(scenario.proxies());
    }

    private static ErrorCount errors(long count) {
        return ErrorCount.newBuilder().setErrorClass(ErrorClass.ERROR_CLASS_SERVER).setCount(count).build();
    }

    /** Exponential: each of {@link #GRAIN} equal parts at its middle. */
    private static io.redliner.contract.v1.Histogram peerLatencies(long each) {
        Histogram latency = new Histogram(1, 60_000_000, 2);
        for (int part = 0; part < GRAIN && each > 0; part++) {
            latency.recordValueWithCount(Math.round(-1e6 * PEER_LATENCY * Math.log(1 - (part + 0.5) / GRAIN)), each);
        }
        return Histograms.encode(latency);
    }
}
