// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.benchmarks.process.BrokerProcess;
import io.redliner.benchmarks.process.JavaProcess;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Observation;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;

/**
 * Observations per second through the whole analyzer, and what a bare consumer reads of the same records, without and
 * with parsing them, and Kafka Streams without doing anything; one after the other and again. Everything is in one partition, so that both have one thread. The analyzer's clock
 * follows the observations. Arguments: services, of those with a live run, windows, rounds.
 */
public final class AnalyzerThroughputBench {

    private static final TopicPartition OBSERVATIONS = new TopicPartition(TopicNames.DEFAULT.name(Topic.OBSERVATIONS),
            0);

    private static final Duration LONGEST = Duration.ofMinutes(3);

    private static final long START_MILLIS = 1_700_000_000_000L;

    private static final Clock CLOCK = Clock.systemUTC();

    private final String address;

    private final int services;

    private final int live;

    private final int windows;

    private AnalyzerThroughputBench(String address, int services, int live, int windows) {
        this.address = address;
        this.services = services;
        this.live = live;
        this.windows = windows;
    }

    /** Measures, prints a table, and fails when the analyzer is slower than half of the consumer. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        int services = Integer.parseInt(arguments[0]);
        int live = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[3]);
        try (var broker = JavaProcess.start(BrokerProcess.class, List.of("-Xmx1g"))) {
            var bench = new AnalyzerThroughputBench(broker.ready(), services, live, Integer.parseInt(arguments[2]));
            bench.keepTimesOfRecords();
            bench.write();
            System.out
                    .println("services  live  records  consumer/s  parsing/s  streams/s  analyzer/s  ratio  accepted  "
                            + "judged");
            var ratios = new ArrayList<Double>();
            for (int round = 0; round < rounds; round++) {
                ratios.add(bench.round(round));
            }
            double best = ratios.stream().skip(1).mapToDouble(Double::doubleValue).average().orElse(0);
            System.out.printf(Locale.ROOT, "ratio without the first round: %.2f%n", best);
            System.exit(best >= 0.5 ? 0 : 1);
        }
    }

    private long records() {
        return (long) services * SimulatedRun.INSTANCES * windows;
    }

    /** The analyzer goes by when the broker took an observation; here that is when it would have been sent. */
    private void keepTimesOfRecords() throws ExecutionException, InterruptedException {
        try (var admin = Admin.create(Map.of("bootstrap.servers", address))) {
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, OBSERVATIONS.topic()),
                    List.of(new AlterConfigOp(new ConfigEntry("message.timestamp.type", "CreateTime"), OpType.SET),
                            new AlterConfigOp(new ConfigEntry("retention.ms", "-1"), OpType.SET))))
                    .all().get();
        }
    }

    /** Windows one after the other, services one after the other in each. */
    @SuppressWarnings("FutureReturnValueIgnored") // Flushed; the consumer counts the records.
    private void write() {
        var latencies = new EncodedLatencies();
        var runs = new ArrayList<SimulatedRun>();
        for (int i = 0; i < services; i++) {
            runs.add(new SimulatedRun(i, latencies));
        }
        try (var producer = new KafkaProducer<>(Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address,
                ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4", ProducerConfig.LINGER_MS_CONFIG, 5),
                new StringSerializer(), new ByteArraySerializer())) {
            runs.stream().limit(live)
                    .forEach(run -> producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.RUNS), 0,
                            run.service(), run.spec().toByteArray())));
            var sent = new AtomicLong();
            for (int window = 0; window < windows; window++) {
                for (var run : runs) {
                    run.window(START_MILLIS + window * SimulatedRun.WINDOW_MILLIS)
                            .forEach(observation -> producer.send(new ProducerRecord<>(OBSERVATIONS.topic(), 0,
                                    sentMillis(sent.getAndIncrement(), services * SimulatedRun.INSTANCES),
                                    run.service(), observation.toByteArray())));
                }
            }
            producer.flush();
        }
    }

    /** As if each window's observations came in the half second after its end. */
    private static long sentMillis(long index, int perWindow) {
        return START_MILLIS + SimulatedRun.WINDOW_MILLIS * (index / perWindow + 1)
                + index % perWindow * SimulatedRun.WINDOW_MILLIS / 2 / perWindow;
    }

    private double round(int round) throws ExecutionException, InterruptedException {
        double bare = records() / seconds(consumed(record -> record.value().length));
        double parsing = records() / seconds(consumed(record -> AnalyzerThroughputBench.parsed(record.value())));
        var folder = TemporaryFolder.create("throughput");
        try {
            double streams = streamed("counting-" + round, folder.toString());
            return analyzed("throughput-" + round, folder.toString(), new double[]{bare, parsing, streams});
        } finally {
            TemporaryFolder.delete(folder);
        }
    }

    private static long parsed(byte[] value) {
        try {
            return Observation.parseFrom(value).getCompleted();
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Duration consumed(ToLongFunction<ConsumerRecord<String, byte[]>> reading) {
        try (var consumer = new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address),
                new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(OBSERVATIONS));
            consumer.seekToBeginning(List.of(OBSERVATIONS));
            long read = 0;
            long sum = 0;
            var begin = CLOCK.instant();
            while (read < records() && CLOCK.instant().isBefore(begin.plus(LONGEST))) {
                for (var record : consumer.poll(Duration.ofSeconds(1))) {
                    read++;
                    sum += reading.applyAsLong(record);
                }
            }
            if (read != records() || sum == 0) {
                throw new IllegalStateException("read " + read + " of " + records());
            }
            return Duration.between(begin, CLOCK.instant());
        }
    }

    /** What Kafka Streams itself needs: one thread, and nothing is done with a record. */
    private double streamed(String group, String folder) {
        var counter = new LongAdder();
        var topology = new Topology()
                .addSource(AutoOffsetReset.earliest(), "observations", new StringDeserializer(),
                        new ByteArrayDeserializer(), OBSERVATIONS.topic())
                .addProcessor("counting", () -> (Processor<String, byte[], Void, Void>) record -> counter.increment(),
                        "observations");
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, group);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, address);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder);
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        try (var streams = new KafkaStreams(topology, settings)) {
            streams.start();
            return rate(counter::sum);
        }
    }

    /** Records per second from the first that was read to the last. */
    private double rate(LongSupplier seen) {
        var deadline = CLOCK.instant().plus(LONGEST);
        while (seen.getAsLong() == 0 && CLOCK.instant().isBefore(deadline)) {
            LockSupport.parkNanos(1_000_000);
        }
        long before = seen.getAsLong();
        var begin = CLOCK.instant();
        while (seen.getAsLong() < records() && CLOCK.instant().isBefore(deadline)) {
            LockSupport.parkNanos(1_000_000);
        }
        return (seen.getAsLong() - before) / seconds(Duration.between(begin, CLOCK.instant()));
    }

    /** @param others consumer, parsing consumer and Kafka Streams, in records per second */
    private double analyzed(String group, String folder, double[] others)
            throws ExecutionException, InterruptedException {
        // New groups begin with what comes: this one is to begin with what is there.
        try (var admin = Admin.create(Map.of("bootstrap.servers", address))) {
            admin.alterConsumerGroupOffsets(group, Map.of(OBSERVATIONS, new OffsetAndMetadata(0))).all().get();
        }
        var clock = new FollowingClock(services * SimulatedRun.INSTANCES);
        try (var application = AnalyzerProcess.start(clock, AnalyzerProcess.arguments(address, folder,
                "--redliner.analyzer.stream.application-id=" + group, "--redliner.analyzer.stream.grace=3s",
                "--redliner.analyzer.stream.standby-replicas=0"))) {
            var registry = application.getBean(MeterRegistry.class);
            var received = List.copyOf(registry.find("redliner.observations").counters());
            clock.follow(() -> sum(received));
            double rate = rate(() -> sum(received));
            double accepted = registry.get("redliner.observations").tag("result", "accepted").counter().count();
            double judged = registry.find("redliner.windows.judged").counters().stream()
                    .mapToDouble(counter -> counter.count()).sum();
            System.out.printf(Locale.ROOT, "%8d  %4d  %7d  %10.0f  %9.0f  %9.0f  %10.0f  %5.2f  %8.0f  %6.0f%n",
                    services,
                    live, records(), others[0], others[1], others[2], rate, rate / others[0], accepted, judged);
            return rate / others[0];
        }
    }

    private static long sum(List<Counter> counters) {
        double sum = 0;
        for (var counter : counters) {
            sum += counter.count();
        }
        return (long) sum;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** The time at which the observation was sent that is read next. */
    private static final class FollowingClock implements InstantSource {

        private final int perWindow;

        private volatile LongSupplier read = () -> 0;

        FollowingClock(int perWindow) {
            this.perWindow = perWindow;
        }

        void follow(LongSupplier observations) {
            read = observations;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(sentMillis(read.getAsLong(), perWindow));
        }
    }
}
