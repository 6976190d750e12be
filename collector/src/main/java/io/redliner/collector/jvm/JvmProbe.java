// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.machine.Reasons;
import io.redliner.collector.source.Probe;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.Target;
import io.redliner.collector.window.Measurement;
import io.redliner.collector.window.Measurements;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at the JVMs of the instances that name a {@code jmx}. Each has a thread of its own, which hands over what it has
 * measured at once: windows are sealed soon after their end, and one that does not answer keeps nobody waiting.
 */
final class JvmProbe implements Probe {

    /** For all answers to one look together. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(50);

    private final List<JvmWatch> watches;

    private final InstantSource clock;

    private JvmProbe(List<JvmWatch> watches, InstantSource clock) {
        this.watches = watches;
        this.clock = clock;
    }

    static JvmProbe of(List<Target> targets, JvmProperties properties, Path proc, Measurements measurements,
            InstantSource clock) {
        RmiTimeouts.set(properties.patience());
        return new JvmProbe(targets.stream().filter(target -> target.jmx().isPresent())
                .map(target -> new JvmWatch(target, JvmDoor.of(target, properties, proc), properties, measurements,
                        clock))
                .toList(), clock);
    }

    @Override
    public String name() {
        return "jvm";
    }

    /**
     * Asks, and gives those who answer at once the time to: a look that is over may mean that a window is complete.
     */
    @Override
    public List<Measurement> look(Instant now, Instant next) throws ProbeFailedException {
        Duration interval = Duration.between(now, next);
        List<String> troubles = new ArrayList<>();
        watches.forEach(watch -> watch.ask(interval));
        Duration half = interval.dividedBy(2);
        Instant deadline = now.plus(half.compareTo(LONGEST_WAIT) < 0 ? half : LONGEST_WAIT);
        watches.forEach(watch -> watch.await(Duration.between(clock.instant(), deadline)));
        watches.forEach(watch -> troubles.addAll(watch.troubles()));
        if (!troubles.isEmpty()) {
            throw new ProbeFailedException(Reasons.first(troubles), List.of());
        }
        return List.of();
    }

    @Override
    public void close() {
        watches.forEach(JvmWatch::close);
    }
}
