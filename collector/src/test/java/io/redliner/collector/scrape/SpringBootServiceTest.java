// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.StartsSpring;
import io.redliner.collector.http.HttpCredentials;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.scrape.ScrapeClient.ExpositionFormat;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** A real Spring Boot service with Micrometer: what is measured against what its registry says itself. */
@StartsSpring
class SpringBootServiceTest {

    private static final InstanceId SUBJECT = new InstanceId("shop", "127.0.0.1:8080");

    private static final String REQUESTS = "http_server_requests_seconds{error=\"none\",exception=\"none\",method=\"GET\","
            + "outcome=\"SUCCESS\",status=\"200\",uri=\"/actuator/health\"}";

    private static ConfigurableApplicationContext shop;

    private static MeterRegistry registry;

    private static URI address;

    private final HttpClient client = HttpClient.newHttpClient();

    private final MetricTranslator translator = new MetricTranslator("scrape",
            new CustomGaugeSettings(List.of("*"), 2_000, 10, Duration.ofMinutes(5)), new SimpleMeterRegistry());

    @BeforeAll
    static void start() {
        shop = SpringApplication.run(Shop.class, "--server.port=0", "--server.address=127.0.0.1",
                "--spring.config.name=none", "--management.endpoints.web.exposure.include=prometheus,health",
                "--server.tomcat.mbeanregistry.enabled=true", "--spring.jmx.enabled=false",
                "--management.metrics.distribution.percentiles-histogram.orders.time=true");
        registry = shop.getBean(MeterRegistry.class);
        address = URI.create("http://127.0.0.1:" + shop.getBean(Environment.class).getProperty("local.server.port"));
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void what_is_measured_is_what_its_registry_says() throws Exception {
        Timer timer = Timer.builder("orders.time").tag("kind", "x").publishPercentileHistogram().register(registry);
        AtomicInteger depth = new AtomicInteger(17);
        registry.gauge("orders.depth", depth);
        // Were they taken for new ones, nothing would be near.
        for (int before = 0; before < 50; before++) {
            order();
        }
        timer.record(5, TimeUnit.MILLISECONDS);
        collect(1);
        double collectionsBeforeFirst = collections();
        double pausedBeforeFirst = paused();
        scrape();
        double requests = timer("http.server.requests", "uri", "/actuator/health").count();
        double busy = timer("http.server.requests", "uri", "/actuator/health").totalTime(TimeUnit.SECONDS);
        double collections = collections();
        double paused = paused();
        double placed = registry.get("orders.placed").counter().count();

        for (int order = 0; order < 200; order++) {
            order();
            timer.record(1 + order, TimeUnit.MILLISECONDS);
        }
        collect(3);
        double fewestCollections = Math.max(3, collections() - collections);
        double leastPaused = paused() - paused;
        Map<String, GaugeMeasurement> measured = scrape();
        double mostCollections = collections() - collectionsBeforeFirst;
        double mostPaused = paused() - pausedBeforeFirst;

        near(seconds(measured, REQUESTS + ".rate") * value(measured, REQUESTS + ".rate"),
                timer("http.server.requests", "uri", "/actuator/health").count() - requests);
        near(value(measured, REQUESTS + ".mean"),
                (timer("http.server.requests", "uri", "/actuator/health").totalTime(TimeUnit.SECONDS) - busy) / 200);
        near(seconds(measured, "orders_placed.rate") * value(measured, "orders_placed.rate"),
                registry.get("orders.placed").counter().count() - placed);
        near(value(measured, "orders_time_seconds{kind=\"x\"}.mean"), 0.1005);
        assertThat(value(measured, "orders_time_seconds{kind=\"x\"}.p50")).isCloseTo(0.1005, within(0.005));
        near(value(measured, "orders_depth"), 17);
        grew(measured, "gc.rate", fewestCollections, mostCollections);
        grew(measured, "gc.time", leastPaused, mostPaused);
        assertThat(value(measured, "gc.pause")).isBetween(0.99 * leastPaused / mostCollections, 1.01 * mostPaused);
        assertThat(value(measured, "process.uptime")).isCloseTo(
                registry.get("process.uptime").timeGauge().value(TimeUnit.SECONDS), within(2.0));
        assertThat(measured).containsKeys("cpu", "memory[heap]", "pool.busy");
        assertThat(measured.keySet()).anyMatch(name -> name.startsWith("pool.busy[http-nio-"));
        assertThat(translator.problems(Instant.now())).isEmpty();
    }

    /** Other tests of this JVM block threads, too: what was blocked at the scrape is in its answer, and nowhere else. */
    @Test
    void blocked_threads_are_those_of_the_answer() throws Exception {
        Object monitor = new Object();
        List<Thread> waiting = IntStream.range(0, 3).mapToObj(i -> new Thread(() -> {
            synchronized (monitor) {
                monitor.notifyAll();
            }
        })).toList();
        List<MetricPoint> answer;
        synchronized (monitor) {
            waiting.forEach(Thread::start);
            await().until(() -> waiting.stream().allMatch(it -> it.getState() == Thread.State.BLOCKED));
            answer = answer(Instant.EPOCH);
        }
        for (Thread it : waiting) {
            it.join();
        }

        double exposed = answer.stream().filter(it -> it.series().family().equals("jvm_threads_states_threads")
                && "blocked".equals(it.series().labels().get("state")))
                .mapToDouble(it -> ((MetricPoint.Level) it).value()).findFirst().orElseThrow();
        assertThat(exposed).isGreaterThanOrEqualTo(3);
        assertThat(value(measured(answer, Instant.EPOCH), "threads.blocked")).isEqualTo(exposed);
    }

    @Test
    void all_formats_say_the_same() throws Exception {
        order();
        Map<String, MetricPoint> text = points("text/plain;version=0.0.4");
        Map<String, MetricPoint> openMetrics = points("application/openmetrics-text;version=1.0.0");
        Map<String, MetricPoint> protobuf = points(ExpositionFormat.ACCEPT);

        assertThat(text.keySet()).hasSizeGreaterThan(50).isEqualTo(openMetrics.keySet()).isEqualTo(protobuf.keySet());
        for (Map<String, MetricPoint> format : List.of(text, openMetrics, protobuf)) {
            assertThat(format.get("orders_placed")).isInstanceOfSatisfying(MetricPoint.Total.class, total -> assertThat(
                    total.value()).isEqualTo(registry.get("orders.placed").counter().count()));
        }
        assertThat(points(ExpositionFormat.ACCEPT).get("orders_placed")).as("when it began").isEqualTo(
                protobuf.get("orders_placed"));
    }

    /** How each looks that is asked for: protobuf has binary zeros. */
    private Map<String, MetricPoint> points(String accept) throws Exception {
        HttpResponse<byte[]> response = client.send(HttpRequest.newBuilder(address.resolve("/actuator/prometheus"))
                .header("Accept", accept).build(), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(response.headers().firstValue("content-type").orElse(""))
                .startsWith(accept.substring(0, accept.indexOf(';')));
        return ScrapeClient.read(response.headers(), response.body(), 1 << 24, 20_000, Instant.EPOCH).points().stream()
                .filter(point -> !point.series().toString().contains("/actuator/prometheus"))
                // A collection of garbage between two scrapes adds series of its own.
                .filter(point -> !point.series().toString().startsWith("jvm_gc_"))
                .collect(Collectors.toMap(point -> point.series().toString(), point -> point));
    }

    private Map<String, GaugeMeasurement> scrape() throws Exception {
        Instant now = InstantSource.system().instant();
        return measured(answer(now), now);
    }

    private Map<String, GaugeMeasurement> measured(List<MetricPoint> answer, Instant now) {
        Map<String, GaugeMeasurement> measured = new HashMap<>();
        translator.translate(SUBJECT, answer, now, Duration.ZERO).forEach(it -> measured.put(it.name(), it));
        return measured;
    }

    private static List<MetricPoint> answer(Instant now) throws Exception {
        ScrapeProperties properties = new ScrapeProperties(true, Duration.ofSeconds(10), Duration.ofSeconds(5),
                DataSize.ofMegabytes(16), 20_000, 1, HttpCredentials.NONE);
        try (ScrapeClient scraper = new ScrapeClient(properties, Runnable::run)) {
            return scraper.scrape(address.resolve("/actuator/prometheus"), now).join().points();
        }
    }

    private void order() throws Exception {
        registry.counter("orders.placed").increment();
        client.send(HttpRequest.newBuilder(address.resolve("/actuator/health")).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Forces collections, and waits until Micrometer counted them. */
    private static void collect(int times) {
        for (int time = 0; time < times; time++) {
            double before = collections();
            System.gc();
            await().until(() -> collections() > before);
        }
    }

    private static double collections() {
        return registry.find("jvm.gc.pause").timers().stream().mapToDouble(Timer::count).sum();
    }

    private static double paused() {
        return registry.find("jvm.gc.pause").timers().stream().mapToDouble(it -> it.totalTime(TimeUnit.SECONDS)).sum();
    }

    private static Timer timer(String name, String tag, String value) {
        return registry.get(name).tag(tag, value).timer();
    }

    private static double value(Map<String, GaugeMeasurement> measured, String name) {
        return of(measured, name).value();
    }

    private static double seconds(Map<String, GaugeMeasurement> measured, String name) {
        GaugeMeasurement it = of(measured, name);
        return Duration.between(it.from(), it.to()).toNanos() / 1e9;
    }

    private static GaugeMeasurement of(Map<String, GaugeMeasurement> measured, String name) {
        GaugeMeasurement it = measured.get(name);
        if (it == null) {
            throw new AssertionError("there is no " + name + " in " + new TreeSet<>(measured.keySet()));
        }
        return it;
    }

    /** From one look to the next. The JVM is also that of other tests: it collects when it likes. */
    private static void grew(Map<String, GaugeMeasurement> measured, String name, double least, double most) {
        assertThat(seconds(measured, name) * value(measured, name)).as(name).isBetween(0.99 * least, 1.01 * most);
    }

    private static void near(double value, double truth) {
        assertThat(value).isCloseTo(truth, within(Math.abs(truth) * 0.01 + 1e-9));
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {}
}
