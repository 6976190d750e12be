// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.host.DeviceInventory.NetworkLink;
import io.redliner.collector.linux.CounterDeltas;
import io.redliner.collector.linux.IntervalTimer;
import io.redliner.collector.linux.ProcFiles;
import io.redliner.collector.source.SampleSet;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Samples the traffic on the links of the machine or of an instance, and how much of each link it uses. */
final class NetworkSampler {

    private static final Duration EACH_SAMPLE = Duration.ZERO;

    /** The interval at which links and their speeds are read; they hardly change. */
    private static final Duration SEARCH = Duration.ofSeconds(10);

    private final CounterDeltas counters = new CounterDeltas();

    private final IntervalTimer searchTimer = new IntervalTimer();

    private List<NetworkLink> links = List.of();

    /**
     * Adds the traffic since the last call.
     *
     * @param traffic of all interfaces, by their names
     * @param search finds the links; called each ten seconds
     */
    void sample(SampleSet samples, Map<String, InterfaceCounters> traffic, Supplier<List<NetworkLink>> search) {
        Instant now = samples.now();
        if (searchTimer.due(now, SEARCH)) {
            links = search.get();
            counters.removeOld(now);
        }
        double sent = 0;
        double received = 0;
        double fullest = 0;
        double speed = 0;
        boolean speedKnown = false;
        boolean allKnown = true;
        Instant from = now;
        for (NetworkLink link : links) {
            InterfaceCounters interfaceCounters = traffic.get(link.name());
            if (interfaceCounters == null) {
                samples.missing("proc/net/dev does not know the link " + link.name() + ": no net.tx and net.rx");
                return;
            }
            Optional<Flow> flow = flow(link, interfaceCounters, now);
            if (flow.isEmpty()) {
                // A sum without it would be too low.
                return;
            }
            sent += flow.get().sent;
            received += flow.get().received;
            from = flow.get().from;
            allKnown &= link.speed().isPresent();
            speed += link.speed().orElse(0);
            OptionalDouble used = flow.get().partOf(link);
            if (used.isPresent()) {
                speedKnown = true;
                fullest = Math.max(fullest, used.getAsDouble());
                samples.ratio("net.link[" + link.name() + "]", used.getAsDouble(), from, EACH_SAMPLE);
            }
        }
        if (links.isEmpty()) {
            return;
        }
        samples.over("net.tx", sent, from, EACH_SAMPLE);
        samples.over("net.rx", received, from, EACH_SAMPLE);
        if (speedKnown) {
            samples.ratio("net.link", fullest, from, EACH_SAMPLE);
        }
        if (allKnown) {
            samples.level("net.speed", speed, EACH_SAMPLE);
        }
    }

    private Optional<Flow> flow(NetworkLink link, InterfaceCounters interfaceCounters, Instant now) {
        var sent = counters.read(link.name() + ".sent", interfaceCounters.sent(), now);
        var received = counters.read(link.name() + ".received", interfaceCounters.received(), now);
        return sent.isEmpty() || received.isEmpty()
                ? Optional.empty()
                : Optional.of(new Flow(sent.get().perSecond(), received.get().perSecond(), sent.get().from()));
    }

    /** Bytes/s. */
    private record Flow(double sent, double received, Instant from) {

        OptionalDouble partOf(NetworkLink link) {
            return link.speed().isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(Math.max(sent, received) / link.speed().getAsDouble());
        }
    }

    /**
     * The traffic of one network interface since it exists, from {@code proc/net/dev}.
     *
     * @param received bytes
     * @param sent bytes
     */
    record InterfaceCounters(long received, long sent) {

        private static final int SENT = 8;

        /** Parses {@code proc/net/dev}, by the interface's name; lines that make no sense are left out. */
        static Map<String, InterfaceCounters> parse(String text) {
            Map<String, InterfaceCounters> all = new HashMap<>();
            for (String line : text.split("\n", -1)) {
                int colon = line.lastIndexOf(':');
                if (colon > 0) {
                    String[] fields = line.substring(colon + 1).strip().split(" +", -1);
                    var received = ProcFiles.number(fields[0]);
                    var sent = fields.length > SENT ? ProcFiles.number(fields[SENT]) : ProcFiles.number("");
                    if (received.isPresent() && sent.isPresent()) {
                        all.put(line.substring(0, colon).strip(),
                                new InterfaceCounters(received.getAsLong(), sent.getAsLong()));
                    }
                }
            }
            return all;
        }
    }
}
