// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.series.SeriesSettings;
import io.redliner.collector.series.Translator;
import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.window.Measurement;
import io.redliner.collector.window.Measurements;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What came of what was pushed. */
final class Taken implements Measurements {

    private final List<Measurement> measured = new CopyOnWriteArrayList<>();

    @Override
    public void take(List<Measurement> measurements) {
        measured.addAll(measurements);
    }

    /** An intake that knows these instances of the service {@code shop}. */
    Intake intake(InstantSource clock, String... addresses) {
        return new Intake(
                new Senders(() -> new InstancesProperties(List.of(addresses).stream()
                        .map(address -> new InstancesProperties.Entry("shop", address, false, null, null)).toList(),
                        "/").targets()),
                new Translator("otlp", new SeriesSettings(List.of("*"), 500, 100, Duration.ofMinutes(5))), this,
                new OtlpLedger(), clock);
    }

    List<Measurement> all() {
        return measured;
    }

    List<String> names() {
        return measured.stream().map(Measurement::name).distinct().sorted().toList();
    }

    List<Measurement> all(String name) {
        return measured.stream().filter(measurement -> measurement.name().equals(name)).toList();
    }

    /** The last value of that name. */
    double value(String name) {
        List<Measurement> all = all(name);
        return all.isEmpty() ? Double.NaN : all.getLast().value();
    }
}
