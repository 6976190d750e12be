// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.MeasurementSink;
import io.redliner.embedded.FreePort;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** A Spring Boot service that pushes its metrics to one collector and is scraped by another: both measure the same. */
@StartsSpring
class PushedAndScrapedTest {

    private static final int SHOP = FreePort.next();

    private static final String TIMER = "orders_time_seconds{kind=\"book\"}";

    @Test
    void both_ways_measure_the_same() throws Exception {
        try (ConfigurableApplicationContext pushed = collector("otlp", "--redliner.collector.otlp.port=0");
                ConfigurableApplicationContext scraped = collector("scrape", "--redliner.collector.scrape.interval=1s",
                        "--redliner.collector.scrape.timeout=1s");
                ConfigurableApplicationContext shop = shop(pushed)) {
            Taken push = pushed.getBean(Taken.class);
            Taken scrape = scraped.getBean(Taken.class);
            MeterRegistry registry = shop.getBean(MeterRegistry.class);
            Timer timer = Timer.builder("orders.time").tag("kind", "book").publishPercentileHistogram()
                    .register(registry);
            registry.counter("orders.placed").increment(0);
            AtomicInteger waiting = new AtomicInteger(42);
            registry.gauge("orders.waiting", waiting);
            await().until(() -> push.has(TIMER + ".rate") && scrape.has(TIMER + ".rate")
                    && push.has("orders_placed.rate") && scrape.has("orders_placed.rate"));

            int orders = serve(registry, timer);
            // A slow look sees the timer before the last orders and the counter after them: each is waited for.
            await().until(() -> Stream.of(push, scrape)
                    .allMatch(way -> way.count("orders_placed") >= 2L * orders && way.count(TIMER) >= orders));

            assertThat(push.count("orders_placed")).isEqualTo(2L * orders).isEqualTo(scrape.count("orders_placed"));
            assertThat(push.count(TIMER)).isEqualTo(orders).isEqualTo(scrape.count(TIMER));
            assertThat(push.mean(TIMER)).isCloseTo(scrape.mean(TIMER), within(0.01 * scrape.mean(TIMER)))
                    .isCloseTo(0.0505, within(0.0005));
            for (String quantile : List.of(".p50", ".p90", ".p95", ".p99")) {
                double value = scrape.median(TIMER + quantile);
                assertThat(push.median(TIMER + quantile)).as(quantile).isCloseTo(value, within(0.01 * value));
            }
            assertThat(push.last("orders_waiting")).isEqualTo(42).isEqualTo(scrape.last("orders_waiting"));
            assertThat(push.last("process.uptime")).isCloseTo(scrape.last("process.uptime"),
                    within(0.2 * scrape.last("process.uptime")));
            // The heap fills up and is emptied between two looks: one way alone may see it just emptied, but not half of the time.
            assertThat(push.median("memory[heap]")).isBetween(0.8 * scrape.lowest("memory[heap]"),
                    1.2 * scrape.highest("memory[heap]"));
            assertThat(push.subjects()).isEqualTo(scrape.subjects())
                    .containsExactly(new InstanceId("shop", "127.0.0.1:" + SHOP));
            assertThat(push.names()).containsAll(List.of("cpu", "threads.blocked",
                    "orders_time_seconds_max{kind=\"book\"}",
                    "http_server_requests_active_seconds_max{exception=\"none\",method=\"GET\",outcome=\"SUCCESS\","
                            + "status=\"200\",uri=\"UNKNOWN\"}"));
            assertThat(push.names().stream().filter(scrape::has).count()).isGreaterThan(push.names().size() * 9 / 10)
                    .isGreaterThan(scrape.names().size() * 9 / 10);
        }
    }

    /** The same mix of orders all the time, so that it does not matter when who looks. */
    private static int serve(MeterRegistry registry, Timer timer) throws Exception {
        AtomicInteger orders = new AtomicInteger();
        ScheduledExecutorService customers = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> buying = customers.scheduleAtFixedRate(() -> {
            for (int millis = 1; millis <= 100; millis++) {
                timer.record(millis, TimeUnit.MILLISECONDS);
                registry.counter("orders.placed").increment(2);
            }
            orders.addAndGet(100);
        }, 0, 5, TimeUnit.MILLISECONDS);
        await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
        buying.cancel(false);
        customers.shutdown();
        assertThat(customers.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        return orders.get();
    }

    private static ConfigurableApplicationContext collector(String way, String... settings) throws Exception {
        Class<?> configuration = Class.forName("io.redliner.collector." + way + "."
                + (way.equals("otlp") ? "OtlpConfiguration" : "ScrapeConfiguration"));
        return new SpringApplicationBuilder(Wiring.class, configuration)
                .properties("redliner.collector." + way + ".enabled=true", "server.port=0",
                        "server.address=127.0.0.1", "server.tomcat.mbeanregistry.enabled=true")
                .run(settings);
    }

    private static ConfigurableApplicationContext shop(ConfigurableApplicationContext collector) {
        return new SpringApplicationBuilder(Shop.class).run("--spring.config.name=none",
                "--spring.application.name=shop", "--server.port=" + SHOP, "--server.address=127.0.0.1",
                "--server.tomcat.mbeanregistry.enabled=true",
                "--management.endpoints.web.exposure.include=prometheus",
                "--otlp.url=http://127.0.0.1:" + collector.getEnvironment().getProperty("local.server.port")
                        + "/v1/metrics",
                "--otlp.step=1s", "--otlp.resourceAttributes=service.name=shop");
    }

    @EnableAutoConfiguration
    static class Shop {

        @Bean
        OtlpMeterRegistry pushing(Environment settings) {
            return new OtlpMeterRegistry(key -> settings.getProperty(key), io.micrometer.core.instrument.Clock.SYSTEM);
        }
    }

    @EnableAutoConfiguration
    static class Wiring {

        @Bean
        Taken measurements() {
            return new Taken();
        }

        @Bean
        InstantSource clock() {
            return Clock.systemUTC();
        }

        @Bean
        InstancesProperties instances() {
            return new InstancesProperties(List.of(new InstancesProperties.Entry("shop", "127.0.0.1:" + SHOP, false,
                    URI.create("http://127.0.0.1:" + SHOP + "/actuator/prometheus"), null, 0)), "/");
        }

        @Bean
        InstanceRegistry registry(InstancesProperties instances) {
            return new InstanceRegistry(instances.targets());
        }

        @Bean
        CustomGaugeSettings settings() {
            return new CustomGaugeSettings(List.of("*"), 5_000, 10, Duration.ofMinutes(5));
        }
    }

    static final class Taken implements MeasurementSink {

        private final List<GaugeMeasurement> measured = new CopyOnWriteArrayList<>();

        @Override
        public void take(List<GaugeMeasurement> measurements) {
            measured.addAll(measurements);
        }

        boolean has(String name) {
            return names().contains(name);
        }

        Set<String> names() {
            return measured.stream().map(GaugeMeasurement::name).collect(Collectors.toCollection(TreeSet::new));
        }

        Set<InstanceId> subjects() {
            return measured.stream().map(GaugeMeasurement::instanceId).collect(Collectors.toSet());
        }

        private List<GaugeMeasurement> all(String name) {
            return measured.stream().filter(measurement -> measurement.name().equals(name)).toList();
        }

        double last(String name) {
            return all(name).getLast().value();
        }

        double lowest(String name) {
            return all(name).stream().mapToDouble(GaugeMeasurement::value).min().orElseThrow();
        }

        double highest(String name) {
            return all(name).stream().mapToDouble(GaugeMeasurement::value).max().orElseThrow();
        }

        double median(String name) {
            List<Double> sorted = all(name).stream().map(GaugeMeasurement::value).sorted().toList();
            return sorted.get(sorted.size() / 2);
        }

        /** All there were, from the rates and the times that they are of. */
        long count(String name) {
            return Math.round(all(name + ".rate").stream().mapToDouble(Taken::count).sum());
        }

        /** Of all values. */
        double mean(String name) {
            List<GaugeMeasurement> means = all(name + ".mean");
            List<GaugeMeasurement> rates = all(name + ".rate").stream().filter(rate -> rate.value() > 0).toList();
            double sum = 0;
            for (int at = 0; at < means.size(); at++) {
                sum += means.get(at).value() * count(rates.get(at));
            }
            return sum / rates.stream().mapToDouble(Taken::count).sum();
        }

        private static double count(GaugeMeasurement rate) {
            return rate.value() * Duration.between(rate.from(), rate.to()).toNanos() / 1e9;
        }
    }
}
