// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.source.Probe;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.Target;
import io.redliner.collector.window.Measurement;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at the JVMs of the instances that name a {@code jmx}. Each has a thread of its own, so that one that does not
 * answer keeps nobody else waiting: what it says later comes with a later look, under the time that it is of.
 */
final class JvmProbe implements Probe {

    /** For all answers to one look together. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(250);

    private static final int MOST_TOLD = 10;

    private final List<JvmWatch> watches;

    private final InstantSource clock;

    private JvmProbe(List<JvmWatch> watches, InstantSource clock) {
        this.watches = watches;
        this.clock = clock;
    }

    static JvmProbe of(List<Target> targets, JvmProperties properties, Path proc,
            InstantSource clock) {
        RmiTimeouts.set(properties.patience());
        return new JvmProbe(targets.stream().filter(target -> target.jmx().isPresent())
                .map(target -> new JvmWatch(target, JvmDoor.of(target, properties, proc), properties, clock))
                .toList(), clock);
    }

    @Override
    public String name() {
        return "jvm";
    }

    @Override
    public List<Measurement> look(Instant now, Instant next) throws ProbeFailedException {
        Duration interval = Duration.between(now, next);
        watches.forEach(watch -> watch.ask(interval));
        Duration half = interval.dividedBy(2);
        Instant deadline = now.plus(half.compareTo(LONGEST_WAIT) < 0 ? half : LONGEST_WAIT);
        List<Measurement> measured = new ArrayList<>();
        List<String> troubles = new ArrayList<>();
        for (JvmWatch watch : watches) {
            JvmWatch.Answer answer = watch.answer(Duration.between(clock.instant(), deadline));
            measured.addAll(answer.measured());
            troubles.addAll(answer.troubles());
        }
        if (!troubles.isEmpty()) {
            throw new ProbeFailedException(words(troubles), measured);
        }
        return measured;
    }

    private static String words(List<String> troubles) {
        String first = String.join("; ", troubles.subList(0, Math.min(MOST_TOLD, troubles.size())));
        return troubles.size() > MOST_TOLD ? first + "; and " + (troubles.size() - MOST_TOLD) + " more" : first;
    }

    @Override
    public void close() {
        watches.forEach(JvmWatch::close);
    }
}
