// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import io.redliner.benchmarks.scale.Broker;
import io.redliner.benchmarks.scale.JavaProcess;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyProcess;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A collector as a node agent: what it takes at a steady rate of requests through a real Envoy, what its access logs cost users
 * (the same Envoy has a listener without them; the two take turns), and how old windows are when Kafka has them. Broker and
 * collector are processes of their own.
 *
 * <p>Arguments: requests a second, milliseconds that the instance takes, seconds of a turn, turns of each kind, flush
 * interval of the access log, and settings of the
 * collector if any. The system property {@code collector.classpath} is the collector's.
 */
public final class NodeAgentBench {

    private static final Clock CLOCK = Clock.systemUTC();

    private static final double MILLION = 1e6;

    private static final int WARM_UP = 5;

    private static final Duration SETTLED = Duration.ofSeconds(2);

    /** Of the requests that were sent, apart from those in windows at the edge of a turn. */
    private static final double ENOUGH = 0.95;

    private NodeAgentBench() {}

    /** Prints a table, and fails when a target is missed. */
    public static void main(String[] arguments) throws Exception {
        // Not before all parts have ended.
        System.exit(measure(arguments) ? 0 : 1);
    }

    private static boolean measure(String[] arguments) throws Exception {
        double rate = Double.parseDouble(arguments[0]);
        Duration delay = Duration.ofMillis(Integer.parseInt(arguments[1]));
        Duration turn = Duration.ofSeconds(Integer.parseInt(arguments[2]));
        int turns = Integer.parseInt(arguments[3]);
        Path folder = TemporaryFolder.create("node-agent");
        int collectorPort = FreePort.next();
        int logged = FreePort.next();
        int plain = FreePort.next();
        try (JavaProcess broker = JavaProcess.start(Broker.class, List.of("-Xmx512m"));
                SteadyLoad load = new SteadyLoad(delay, CLOCK)) {
            String servers = broker.ready();
            beginRun(servers);
            try (NodeAgent agent = NodeAgent.start(System.getProperty("collector.classpath"), collectorPort, servers,
                    folder.resolve("collector.log").toFile(), Arrays.asList(arguments).subList(5, arguments.length));
                    EnvoyProcess envoy = EnvoyProcess.start(EnvoyBinary.locate(),
                            bootstrap(arguments[4], logged, plain, load.upstreamPort(), collectorPort), folder);
                    ObservationAges ages = new ObservationAges(servers)) {
                envoy.awaitLive(Duration.ofSeconds(20));
                // At a higher rate, so that the JVM compiles what an agent that has run for an hour has compiled.
                load.run(logged, WARM_UP * rate, turn.multipliedBy(2));
                load.run(plain, rate, turn);
                Turns result = new Turns(load, agent, ages, rate, turn);
                for (int number = 0; number < turns; number++) {
                    result.take(logged, plain);
                }
                return result.print();
            }
        } finally {
            TemporaryFolder.delete(folder);
        }
    }

    /** Without a run its windows would be summaries. */
    private static void beginRun(String servers) throws Exception {
        RunSpec run = RunSpec.newBuilder().setService(TestedWindows.SERVICE).setRunId("bench").setEpoch(1)
                .setPhase(RunPhase.RUN_PHASE_RAMPING).setWindowLengthMs(1_000).build();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers), new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.RUNS),
                    TestedWindows.SERVICE.getBytes(StandardCharsets.UTF_8), run.toByteArray())).get();
        }
    }

    private static EnvoyBootstrap bootstrap(String flushInterval, int logged, int plain, int upstream, int collector)
            throws IOException {
        int adminPort = FreePort.next();
        try (InputStream template = Objects
                .requireNonNull(NodeAgentBench.class.getResourceAsStream("node-agent-envoy.yaml"))) {
            String yaml = new String(template.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${adminPort}", Integer.toString(adminPort))
                    .replace("${loggedPort}", Integer.toString(logged))
                    .replace("${plainPort}", Integer.toString(plain))
                    .replace("${upstreamPort}", Integer.toString(upstream))
                    .replace("${collectorPort}", Integer.toString(collector))
                    .replace("${flushInterval}", flushInterval);
            return new EnvoyBootstrap("node-1", adminPort, yaml);
        }
    }

    /** Turns with and without access logs, the order of each pair the other way round than before. */
    private static final class Turns {

        private final SteadyLoad load;

        private final NodeAgent agent;

        private final ObservationAges ages;

        private final double rate;

        private final Duration turn;

        private final Histogram logged = new Histogram(3);

        private final Histogram plain = new Histogram(3);

        private final Histogram ratios = new Histogram(3);

        private Duration cpu = Duration.ZERO;

        private Duration idleCpu = Duration.ZERO;

        private int pairs;

        Turns(SteadyLoad load, NodeAgent agent, ObservationAges ages, double rate, Duration turn) {
            this.load = load;
            this.agent = agent;
            this.ages = ages;
            this.rate = rate;
            this.turn = turn;
        }

        void take(int loggedPort, int plainPort) throws Exception {
            pairs++;
            Histogram without = new Histogram(3);
            if (pairs % 2 == 0) {
                without = takePlain(plainPort);
            }
            Duration before = agent.cpu();
            long from = CLOCK.millis();
            Histogram with = load.run(loggedPort, rate, turn);
            cpu = cpu.plus(agent.cpu()).minus(before);
            long to = CLOCK.millis();
            NodeAgent.pause(SETTLED);
            ages.read(from, to);
            if (pairs % 2 == 1) {
                without = takePlain(plainPort);
            }
            logged.add(with);
            plain.add(without);
            ratios.recordValue((long) (MILLION * with.getValueAtPercentile(99) / without.getValueAtPercentile(99)));
        }

        private Histogram takePlain(int port) throws Exception {
            Duration before = agent.cpu();
            Histogram without = load.run(port, rate, turn);
            idleCpu = idleCpu.plus(agent.cpu()).minus(before);
            return without;
        }

        boolean print() throws IOException {
            double seconds = (double) turn.toSeconds() * pairs;
            double core = cpu.toNanos() / 1e9 / seconds;
            double resident = agent.residentMib();
            double merged = (double) logged.getValueAtPercentile(99) / plain.getValueAtPercentile(99);
            double median = ratios.getValueAtPercentile(50) / MILLION;
            long age = ages.ages().getValueAtPercentile(99);
            System.out.printf(Locale.ROOT, "%.0f requests/s, %d turns of %d s of each kind, %d requests in windows%n",
                    rate,
                    pairs, turn.toSeconds(), ages.requests());
            System.out.printf(Locale.ROOT,
                    "collector, of one core            %8.2f %%   (target 2; without requests %.2f)%n",
                    100 * core, 100 * idleCpu.toNanos() / 1e9 / seconds);
            System.out.printf(Locale.ROOT, "collector, resident               %8.0f MiB (target 128)%n", resident);
            System.out.printf(Locale.ROOT, "proxy p50 with / without logs     %8.3f / %.3f ms%n",
                    logged.getValueAtPercentile(50) / MILLION, plain.getValueAtPercentile(50) / MILLION);
            System.out.printf(Locale.ROOT, "proxy p99 with / without logs     %8.3f / %.3f ms%n",
                    logged.getValueAtPercentile(99) / MILLION, plain.getValueAtPercentile(99) / MILLION);
            System.out.printf(Locale.ROOT, "  ratio, all turns together       %8.3f     (target 1.02)%n", merged);
            System.out.printf(Locale.ROOT, "  ratio, median of the pairs      %8.3f     (from %.3f to %.3f)%n", median,
                    ratios.getMinValue() / MILLION, ratios.getMaxValue() / MILLION);
            System.out.printf(Locale.ROOT,
                    "end of window to Kafka            %8d ms p50, %d ms p99, %d ms most (target p99 50)%n",
                    ages.ages().getValueAtPercentile(50), age, ages.ages().getMaxValue());
            double sent = rate * (turn.toSeconds() - 2) * pairs;
            if (ages.requests() < sent * ENOUGH) {
                System.out.printf(Locale.ROOT, "only %d of %.0f requests were in windows%n", ages.requests(), sent);
                return false;
            }
            return core <= 0.02 && resident <= 128 && merged <= 1.02 && age <= 50;
        }
    }
}
