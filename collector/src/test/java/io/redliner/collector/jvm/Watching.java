// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.source.Condition;
import io.redliner.collector.source.ProbeSource;
import io.redliner.collector.source.Target;
import io.redliner.collector.window.Measurement;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The source as it is at work, ten looks a second. */
final class Watching implements AutoCloseable {

    private final List<Measurement> measured = new CopyOnWriteArrayList<>();

    private final ProbeSource source;

    private Watching(JvmProperties properties, List<Target> targets) {
        source = ProbeSource.start(
                JvmProbe.of(targets, properties, Path.of("/proc"), Clock.systemUTC()),
                () -> Duration.ofMillis(100), measured::addAll, Clock.systemUTC());
    }

    static Watching of(Target... targets) {
        return with(new JvmProperties(Duration.ofMillis(200), 2_000, Duration.ofSeconds(60), null, null), targets);
    }

    static Watching with(JvmProperties properties, Target... targets) {
        return new Watching(properties, List.of(targets));
    }

    /** The measurements of that name so far. */
    List<Measurement> all(String name) {
        return measured.stream().filter(measurement -> measurement.name().equals(name)).toList();
    }

    List<Measurement> all(Target target, String name) {
        return all(name).stream().filter(measurement -> measurement.subject().equals(target.subject())).toList();
    }

    /** Their values. */
    List<Double> values(String name) {
        return all(name).stream().map(Measurement::value).toList();
    }

    double highest(String name) {
        return all(name).stream().mapToDouble(Measurement::value).max().orElse(Double.NaN);
    }

    double mean(String name) {
        return all(name).stream().mapToDouble(Measurement::value).average().orElse(Double.NaN);
    }

    Condition condition() {
        return source.condition();
    }

    @Override
    public void close() {
        source.close();
    }
}
