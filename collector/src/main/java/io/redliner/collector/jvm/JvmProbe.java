// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.ScheduledProbe.Probe;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Polls the JVMs of the instances that name a {@code jmx}, and of those on this machine that are JVMs. Each has a thread of its
 * own, which hands over its measurements at once, because windows are closed soon after their end. A JVM that does not answer
 * delays no other.
 */
final class JvmProbe implements Probe {

    private static final List<String> RMI_TIMEOUTS = List.of("sun.rmi.transport.tcp.handshakeTimeout",
            "sun.rmi.transport.tcp.responseTimeout");

    /** The longest wait for the answers to one poll, all JVMs together. */
    private static final Duration MAX_WAIT = Duration.ofMillis(50);

    private final LocalTargets targets;

    private final JvmProperties properties;

    private final Path proc;

    private final MeasurementSink measurements;

    private final InstantSource clock;

    private final Map<Target, JvmPoller> pollers = new LinkedHashMap<>();

    /** @param proc where the kernel's tables are, mostly {@code /proc} */
    JvmProbe(LocalTargets targets, JvmProperties properties, Path proc, MeasurementSink measurements,
            InstantSource clock) {
        boundRmi(properties.patience());
        this.targets = targets;
        this.properties = properties;
        this.proc = proc;
        this.measurements = measurements;
        this.clock = clock;
    }

    private Collection<JvmPoller> pollers(Instant now) {
        Set<Target> wanted = targets.at(now).stream()
                .filter(target -> target.jmx().isPresent() || (target.local() && properties.attach()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Map<Target, JvmPoller> gone = new HashMap<>(pollers);
        gone.keySet().removeAll(wanted);
        gone.forEach((target, poller) -> {
            pollers.remove(target);
            poller.close();
        });
        wanted.forEach(target -> pollers.computeIfAbsent(target,
                it -> new JvmPoller(it, JvmConnector.of(it, properties, proc), properties, measurements, clock)));
        return pollers.values();
    }

    @Override
    public String name() {
        return "jvm";
    }

    /**
     * Starts a poll of each JVM, and waits shortly for quick answers: after this call the windows up to now may be taken as
     * complete.
     */
    @Override
    public List<GaugeMeasurement> measure(Instant now, Instant next) throws ProbeFailedException {
        Duration interval = Duration.between(now, next);
        List<String> troubles = new ArrayList<>();
        Collection<JvmPoller> all = pollers(now);
        all.forEach(poller -> poller.request(interval));
        Duration half = interval.dividedBy(2);
        Instant deadline = now.plus(half.compareTo(MAX_WAIT) < 0 ? half : MAX_WAIT);
        all.forEach(poller -> poller.await(Duration.between(clock.instant(), deadline)));
        all.forEach(poller -> troubles.addAll(poller.problems()));
        if (!troubles.isEmpty()) {
            throw new ProbeFailedException(ProbeFailedException.join(troubles), List.of());
        }
        return List.of();
    }

    @Override
    public void close() {
        pollers.values().forEach(JvmPoller::close);
        pollers.clear();
    }

    /**
     * Bounds waiting in RMI, which JMX connections use. RMI reads the bounds once, from system properties, and no interface of it
     * takes them; nothing else in a collector uses RMI. A property that the operator has set stays. When nothing answers a
     * connection attempt, the operating system gives up, mostly after two minutes.
     */
    private static void boundRmi(Duration timeout) {
        Properties properties = System.getProperties();
        for (String name : RMI_TIMEOUTS) {
            properties.putIfAbsent(name, Long.toString(timeout.toMillis()));
        }
    }
}
