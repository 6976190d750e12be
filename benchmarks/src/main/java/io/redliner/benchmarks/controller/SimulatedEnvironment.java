// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Everything that a controller hears of but itself: a redirector, an analyzer, and services whose traffic they see. Time
 * passes in windows of a second, with a thread of its own.
 */
final class SimulatedEnvironment implements AutoCloseable {

    /** In the middle of a window a redirector says that it lives, of all its services at once. */
    private static final long SIGN_OF_LIFE_MILLIS = 500;

    private static final int USERS = 4;

    private static final int ACCEPTED = 202;

    private final Map<String, SimulatedService> services = new TreeMap<>();

    private final KafkaProducer<String, byte[]> producer;

    private final SimulatedRedirector listener;

    private final InstantSource clock;

    private final int spreadMillis;

    private final Thread thread;

    private volatile boolean closed;

    private volatile boolean measuring;

    private record Due(Instant at, Runnable what) {}

    /**
     * Begins to play.
     *
     * @param every so many windows a search asks for another share
     * @param spreadMillis the last verdict on a window comes so much later than the first
     */
    SimulatedEnvironment(String bootstrapServers, int count, int every, int spreadMillis, InstantSource clock) {
        this(bootstrapServers, count, every, spreadMillis, 0, clock);
    }

    /**
     * Begins to play in the middle of runs.
     *
     * @param before so many windows of each run are taken for judged already
     */
    SimulatedEnvironment(String bootstrapServers, int count, int every, int spreadMillis, long before,
            InstantSource clock) {
        this.clock = clock;
        this.spreadMillis = spreadMillis;
        for (int i = 0; i < count; i++) {
            var service = new SimulatedService(i, every, before);
            services.put(service.name(), service);
        }
        // As analyzer and redirector do.
        producer = new KafkaProducer<>(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ProducerConfig.LINGER_MS_CONFIG, 0), new StringSerializer(), new ByteArraySerializer());
        listener = new SimulatedRedirector(bootstrapServers, services, clock, this::status);
        thread = Thread.ofPlatform().name("played-analyzer").start(this::play);
    }

    /** Starts a run on each service, as far as that succeeds in time, and says how many were started. */
    int start(BenchApiClient rest, Duration timeout) throws InterruptedException {
        var deadline = clock.instant().plus(timeout);
        var started = new AtomicInteger();
        var waiting = new ConcurrentLinkedQueue<>(services.values());
        var users = Stream.generate(() -> Thread.ofVirtual().start(() -> start(rest, waiting, deadline, started)))
                .limit(USERS).toList();
        for (var user : users) {
            user.join();
        }
        return started.get();
    }

    private void start(BenchApiClient rest, Queue<SimulatedService> waiting, Instant deadline, AtomicInteger started) {
        for (var service = waiting.poll(); service != null; service = waiting.poll()) {
            while (clock.instant().isBefore(deadline)) {
                int status = rest.posted("/api/v1/runs", service.plan());
                if (status == ACCEPTED) {
                    started.incrementAndGet();
                    break;
                }
                // The service is not known yet, or the controller is too busy.
                LockSupport.parkNanos(100_000_000);
            }
        }
    }

    /** From now on it counts. */
    void measure() {
        listener.measure();
        measuring = true;
    }

    /** How many runs are live. */
    long live() {
        return services.values().stream().filter(SimulatedService::live).count();
    }

    long searching() {
        return services.values().stream().filter(SimulatedService::searching).count();
    }

    long ended() {
        return services.values().stream().filter(SimulatedService::ended).count();
    }

    long lapsed() {
        return services.values().stream().filter(SimulatedService::lapsed).count();
    }

    /** Verdicts that asked for another share, and for which no lease came until now. */
    long unanswered(Duration longerThan) {
        var before = clock.instant().minus(longerThan);
        return services.values().stream().filter(service -> service.waitsSince(before)).count();
    }

    /** The delays that were measured; complete once this is closed. */
    ControlLoopDelays delays() {
        return listener.delays();
    }

    private void play() {
        long end = Math.ceilDiv(clock.millis(), SimulatedService.WINDOW_MILLIS) * SimulatedService.WINDOW_MILLIS;
        for (; !closed; end += SimulatedService.WINDOW_MILLIS) {
            for (var due : due(end)) {
                sleepUntil(due.at);
                due.what.run();
            }
        }
    }

    private List<Due> due(long endMillis) {
        var all = new ArrayList<Due>();
        for (var service : services.values()) {
            long late = (long) all.size() * spreadMillis / services.size();
            all.add(new Due(Instant.ofEpochMilli(endMillis + late), () -> judge(service, endMillis)));
        }
        all.add(new Due(Instant.ofEpochMilli(endMillis + SIGN_OF_LIFE_MILLIS),
                () -> services.values().forEach(this::status)));
        all.sort(Comparator.comparing(Due::at));
        return all;
    }

    private void judge(SimulatedService service, long endMillis) {
        service.verdict(endMillis / SimulatedService.WINDOW_MILLIS, Instant.ofEpochMilli(endMillis), clock.instant(),
                measuring).ifPresent(verdict -> send(Topic.VERDICTS, service, verdict));
    }

    private void status(SimulatedService service) {
        send(Topic.LEASE_STATUS, service, service.status(clock.instant()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What does not arrive is missed in the figures.
    private void send(Topic topic, SimulatedService service, byte[] value) {
        producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(topic), service.name(), value));
    }

    void sleepUntil(Instant until) {
        for (var now = clock.instant(); now.isBefore(until) && !closed; now = clock.instant()) {
            LockSupport.parkNanos(Math.min(50_000_000, Duration.between(now, until).toNanos()));
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        listener.close();
        producer.close(Duration.ZERO);
    }
}
