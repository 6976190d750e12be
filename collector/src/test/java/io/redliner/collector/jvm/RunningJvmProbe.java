// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A running JVM probe, with ten looks a second. */
final class RunningJvmProbe implements AutoCloseable {

    private final List<GaugeMeasurement> measured = new CopyOnWriteArrayList<>();

    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

    private final ScheduledProbe source;

    private RunningJvmProbe(JvmProperties properties, List<Target> targets) {
        source = ScheduledProbe.start(
                new JvmProbe(now -> targets, properties, Path.of("/proc"), this::take, Clock.systemUTC()),
                () -> Duration.ofMillis(100), this::take, Clock.systemUTC());
    }

    private void take(List<GaugeMeasurement> some) {
        measured.addAll(some);
        some.forEach(one -> arrivals.add(new Arrival(one, Clock.systemUTC().instant())));
    }

    /** After the beginning of its look, of which there are ten a second: when half of what was measured had come. */
    Duration medianDelay(Target target) {
        List<Long> delays = arrivals.stream().filter(one -> one.what.instanceId().equals(target.instanceId()))
                .map(one -> Duration.between(tenth(one.what.to()), one.at).toMillis()).sorted().toList();
        return Duration.ofMillis(delays.get(delays.size() / 2));
    }

    static RunningJvmProbe of(Target... targets) {
        return with(new JvmProperties(true, Duration.ofMillis(200), 2_000, Duration.ofSeconds(60), null, null),
                targets);
    }

    static RunningJvmProbe with(JvmProperties properties, Target... targets) {
        return new RunningJvmProbe(properties, List.of(targets));
    }

    /** The measurements of that name so far. */
    List<GaugeMeasurement> all(String name) {
        return measured.stream().filter(measurement -> measurement.name().equals(name)).toList();
    }

    List<GaugeMeasurement> all(Target target, String name) {
        return all(name).stream().filter(measurement -> measurement.instanceId().equals(target.instanceId())).toList();
    }

    /** Their values. */
    List<Double> values(String name) {
        return all(name).stream().map(GaugeMeasurement::value).toList();
    }

    double highest(String name) {
        return all(name).stream().mapToDouble(GaugeMeasurement::value).max().orElse(Double.NaN);
    }

    private static Instant tenth(Instant at) {
        return Instant.ofEpochMilli(at.toEpochMilli() / 100 * 100);
    }

    /** Over all of the time: looks are of unequal lengths on a busy machine. */
    double mean(String name) {
        double seconds = all(name).stream().mapToDouble(RunningJvmProbe::seconds).sum();
        return all(name).stream().mapToDouble(one -> one.value() * seconds(one)).sum() / seconds;
    }

    /** Its value at the end of a look. */
    double at(Instant end, String name) {
        return all(name).stream().filter(one -> one.to().equals(end)).findFirst().orElseThrow().value();
    }

    static double seconds(GaugeMeasurement one) {
        return Duration.between(one.from(), one.to()).toNanos() / 1e9;
    }

    SourceHealth condition() {
        return source.health();
    }

    /**
     * Waits for a state and for parts of its reason: on a busy machine a JVM at times does not answer in time, which is a
     * reason, too.
     */
    void await(SourceHealth.State state, String... reasons) {
        Awaitility.await().untilAsserted(() -> {
            SourceHealth now = condition();
            assertThat(now.state()).as("%s", now.details()).isEqualTo(state);
            for (String reason : reasons) {
                assertThat(String.valueOf(now.details().get("reason"))).contains(reason);
            }
        });
    }

    @Override
    public void close() {
        source.close();
    }

    private record Arrival(GaugeMeasurement what, Instant at) {}
}
