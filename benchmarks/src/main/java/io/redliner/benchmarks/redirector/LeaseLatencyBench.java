// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.benchmarks.process.TopicListener;
import io.redliner.benchmarks.stats.LatencySamples;
import io.redliner.contract.v1.Redirect;
import io.redliner.contract.v1.RedirectMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The time from a lease that Kafka's producer gets to the first answer of the side that is now to get everything, after which no other
 * side answers. Broker, redirector and proxy are real, the redirector in a process of its own. Beside it the bench measures Kafka's own
 * time for a record of that size, and when the redirector reports that the share is in force.
 */
@Command(name = "lease-latency", mixinStandardHelpOptions = true, description = "Lease written to share in force.")
public final class LeaseLatencyBench implements Callable<Integer> {

    private static final double MAX_MEDIAN_MILLIS = 20;

    private static final double MAX_P99_MILLIS = 100;

    private static final int WHOLE_PPM = 1_000_000;

    private static final String ECHO = "redliner.bench-echo";

    private static final int PARTITIONS = 4;

    @Option(names = "--flips", description = "measured ones; default: ${DEFAULT-VALUE}")
    private int flips = 300;

    @Option(names = "--warm-up", description = "flips before; default: ${DEFAULT-VALUE}")
    private int warmUp = 30;

    @Option(names = "--probes", description = "connections that ask at once; default: ${DEFAULT-VALUE}")
    private int probes = 8;

    @Option(names = "--pause", description = "microseconds between two requests of a probe; default: ${DEFAULT-VALUE}")
    private long pauseMicros = 400;

    private final SplittableRandom random = new SplittableRandom(1);

    private final LatencySamples kafka = new LatencySamples();

    private final LatencySamples inForce = new LatencySamples();

    private final LatencySamples applied = new LatencySamples();

    /** Measures, prints a table, and fails when the median is above 20 ms or the p99 above 100 ms. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LeaseLatencyBench()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        try (var scene = new EnvoyFixture(2)) {
            createEcho(scene.bootstrapServers);
            var first = scene.leases.begin(EnvoyFixture.SERVICE, scene.sut(),
                    Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_SPLIT).build(), 0);
            scene.statuses.awaitApplied(first, EnvoyFixture.TIMEOUT);
            BlockingQueue<Instant> echoes = new ArrayBlockingQueue<>(1);
            try (var producer = new KafkaProducer<>(BenchLeasePublisher.asControllersDo(scene.bootstrapServers),
                    new StringSerializer(), new ByteArraySerializer());
                    var listener = new TopicListener(scene.bootstrapServers, ECHO, scene.clock,
                            (value, at) -> echoes.add(at));
                    var asking = new ShareProbes(scene.port, probes, Duration.ofNanos(pauseMicros * 1_000),
                            scene.clock)) {
                var begin = scene.clock.instant();
                for (int i = -warmUp; i < flips; i++) {
                    echo(scene, producer, first.bytes(), echoes, i >= 0);
                    flip(scene, asking, i);
                }
                double seconds = Duration.between(begin, scene.clock.instant()).toMillis() / 1e3;
                System.out.printf(Locale.ROOT, "probes: %d, %.0f answers/s%n", probes, asking.total() / seconds);
            }
        }
        return judged();
    }

    private int judged() {
        System.out.println(LatencySamples.head("from producer.send to"));
        System.out.println(kafka.row("Kafka's own round trip"));
        System.out.println(inForce.row("share in force in the proxy"));
        System.out.println(applied.row("status APPLIED read"));
        System.out.println(inForce.ratio(kafka));
        boolean reached = inForce.median() <= MAX_MEDIAN_MILLIS && inForce.p99() <= MAX_P99_MILLIS;
        System.out.println("target: median <= 20 ms, p99 <= 100 ms: " + (reached ? "reached" : "missed"));
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static void createEcho(String bootstrapServers) throws ExecutionException, InterruptedException {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic(ECHO, PARTITIONS, (short) 1))).all().get();
        }
    }

    // What does not arrive is missed a moment later.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void echo(EnvoyFixture scene, KafkaProducer<String, byte[]> producer, int bytes,
            BlockingQueue<Instant> echoes, boolean measured) throws InterruptedException {
        pause();
        byte[] value = new byte[bytes];
        var at = scene.clock.instant();
        producer.send(new ProducerRecord<>(ECHO, EnvoyFixture.SERVICE, value));
        var back = echoes.poll(EnvoyFixture.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        if (back == null) {
            throw new IllegalStateException("Kafka does not bring a record back");
        }
        if (measured) {
            kafka.add(at, back);
        }
    }

    private void flip(EnvoyFixture scene, ShareProbes asking, int number) throws InterruptedException {
        pause();
        boolean toSut = number % 2 == 0;
        asking.expect(toSut ? 1 : 0);
        var sent = scene.leases.change(EnvoyFixture.SERVICE, toSut ? WHOLE_PPM : 0);
        var switched = asking.await(EnvoyFixture.TIMEOUT);
        var said = scene.statuses.awaitApplied(sent, EnvoyFixture.TIMEOUT);
        if (number >= 0) {
            inForce.add(sent.at(), switched);
            applied.add(sent.at(), said);
        }
    }

    /** So that nothing keeps step with renewals and polls. */
    private void pause() {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextLong(20_000, 60_000)));
    }
}
