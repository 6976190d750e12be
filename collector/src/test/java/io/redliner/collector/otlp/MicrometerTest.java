// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.redliner.collector.StartsSpring;
import io.redliner.collector.windowing.GaugeMeasurement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The registry that Spring Boot services push with. */
@StartsSpring
class MicrometerTest {

    private static final int VALUES = 5_000;

    @ParameterizedTest
    @CsvSource({"cumulative, explicit_bucket_histogram, 0.1", "delta, explicit_bucket_histogram, 0.1",
        "delta, base2_exponential_bucket_histogram, 0.025"})
    void what_was_recorded_is_what_is_measured(String temporality, String histogram, double error) {
        double[] millis = new Random(7).doubles(VALUES).map(u -> 10 - 40 * Math.log(1 - u)).toArray();
        try (OtlpCollector collector = new OtlpCollector()) {
            Pushing registry = new Pushing(collector, temporality, histogram);
            AtomicInteger waiting = registry.gauge("orders.waiting", new AtomicInteger(1));
            Timer timer = Timer.builder("http.server.requests").tag("uri", "/a").publishPercentileHistogram()
                    .register(registry);
            timer.record(Duration.ofMillis(10));
            registry.counter("orders", "kind", "book").increment(7);
            registry.push();

            DoubleStream.of(millis).forEach(value -> timer.record(Duration.ofNanos((long) (value * 1e6))));
            registry.counter("orders", "kind", "book").increment(300);
            waiting.set(42);
            registry.push();

            RecordedMeasurements recorded = collector.recorded();
            String base = "http_server_requests_seconds{uri=\"/a\"}";
            assertThat(recorded.value("orders_waiting")).isEqualTo(42);
            assertThat(count(recorded, "orders{kind=\"book\"}.rate")).isCloseTo(300, within(3.0));
            assertThat(count(recorded, base + ".rate")).isCloseTo(VALUES, within(0.01 * VALUES));
            assertThat(recorded.value(base + ".mean")).isCloseTo(DoubleStream.of(millis).average().orElseThrow() / 1e3,
                    within(1e-6));
            Arrays.sort(millis);
            for (int percent : new int[]{50, 90, 95, 99}) {
                double truth = millis[VALUES * percent / 100] / 1e3;
                assertThat(recorded.value(base + ".p" + percent)).isCloseTo(truth, within(truth * error));
            }
            assertThat(collector.intake().metrics().handedOn()).isEqualTo(collector.intake().metrics().received());
            registry.close();
        }
    }

    /** How many there were in the time that the last rate is of. */
    private static double count(RecordedMeasurements recorded, String name) {
        GaugeMeasurement rate = recorded.all(name).getLast();
        return rate.value() * Duration.between(rate.from(), rate.to()).toNanos() / 1e9;
    }

    /** Pushes when the test asks for it, an hour later each time: the increase is known when a step is over. */
    private static final class Pushing extends OtlpMeterRegistry {

        private final Steps steps;

        Pushing(OtlpCollector collector, String temporality, String histogram) {
            this(new Steps(), config(Map.of("otlp.url", collector.http().toString(), "otlp.step", "1h",
                    "otlp.aggregationTemporality", temporality, "otlp.histogramFlavor", histogram,
                    "otlp.resourceAttributes", "service.name=shop,redliner.instance=127.0.0.1:8080")));
        }

        private Pushing(Steps steps, OtlpConfig config) {
            super(config, steps);
            this.steps = steps;
        }

        private static OtlpConfig config(Map<String, String> settings) {
            return settings::get;
        }

        void push() {
            steps.next();
            publish();
        }
    }

    private static final class Steps implements Clock {

        private final long begin = Clock.SYSTEM.wallTime() - TimeUnit.HOURS.toMillis(2);

        private final AtomicInteger hours = new AtomicInteger();

        void next() {
            hours.incrementAndGet();
        }

        @Override
        public long wallTime() {
            return begin + TimeUnit.HOURS.toMillis(hours.get());
        }

        @Override
        public long monotonicTime() {
            return TimeUnit.HOURS.toNanos(hours.get());
        }
    }
}
