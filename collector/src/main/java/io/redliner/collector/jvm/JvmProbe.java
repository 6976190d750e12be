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

    private final List<JvmWatch> watches;

    private JvmProbe(List<JvmWatch> watches) {
        this.watches = watches;
    }

    static JvmProbe of(List<Target> targets, JvmProperties properties, Path proc, Measurements measurements,
            InstantSource clock) {
        RmiTimeouts.set(properties.patience());
        return new JvmProbe(targets.stream().filter(target -> target.jmx().isPresent())
                .map(target -> new JvmWatch(target, JvmDoor.of(target, properties, proc), properties, measurements,
                        clock))
                .toList());
    }

    @Override
    public String name() {
        return "jvm";
    }

    /** Only asks: what is wrong is what was wrong with the look before. */
    @Override
    public List<Measurement> look(Instant now, Instant next) throws ProbeFailedException {
        Duration interval = Duration.between(now, next);
        List<String> troubles = new ArrayList<>();
        watches.forEach(watch -> troubles.addAll(watch.ask(interval)));
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
