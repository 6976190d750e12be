// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.analyzer.kafka.Messages;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.Verdict;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Two installations with different prefixes on one broker test a service of the same name at the same time. */
@Tag("soak")
class TwoInstallationsTest {

    private static final String SERVICE = "shop";

    private static final long WINDOW_MILLIS = 200;

    @TempDir
    private Path folder;

    @Test
    void each_analyzer_has_its_own_group_and_judges_its_own_run_alone() {
        try (var one = new Installation(folder, "run-one", 3); var other = new Installation(folder, "run-other", 7)) {
            await().until(() -> one.hasAllPartitions() && other.hasAllPartitions());
            one.announce();
            other.announce();

            await().pollInterval(Duration.ofMillis(20)).until(() -> Math.min(one.verdicts(), other.verdicts()) >= 5);

            assertThat(one.read).extracting(Verdict::getRunId).containsOnly("run-one");
            assertThat(other.read).extracting(Verdict::getRunId).containsOnly("run-other");
            // Records of the other installation would be counted: they are of the same service, instance and windows.
            assertThat(one.read).extracting(verdict -> verdict.getSut().getCompleted()).containsOnly(3L);
            assertThat(other.read).extracting(verdict -> verdict.getSut().getCompleted()).containsOnly(7L);
        }
    }

    /** An analyzer on topics of its own, and what sends it runs and observations. */
    private static final class Installation implements AutoCloseable {

        private final Clock clock = Clock.systemUTC();

        private final TestBroker kafka = TestKit.sharedBroker();

        private final TopicNames topics = new TopicNames(kafka.topicPrefix());

        private final Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));

        private final KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()), new StringSerializer(),
                new ByteArraySerializer());

        private final KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()), new StringDeserializer(),
                new ByteArrayDeserializer());

        private final List<Verdict> read = new ArrayList<>();

        private final String run;

        private final long requests;

        private final ConfigurableApplicationContext analyzer;

        private long sequence;

        private long nextStart = clock.millis() / WINDOW_MILLIS * WINDOW_MILLIS;

        Installation(Path folder, String run, long requests) {
            this.run = run;
            this.requests = requests;
            var verdicts = consumer.partitionsFor(topics.name(Topic.VERDICTS)).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
            consumer.assign(verdicts);
            consumer.seekToBeginning(verdicts);
            // Both have one state directory, as the two installations of one machine by default.
            analyzer = AnalyzerApplication.builder().run("--server.port=0",
                    "--redliner.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                    "--redliner.kafka.topic-prefix=" + kafka.topicPrefix(),
                    "--redliner.analyzer.stream.state-directory=" + folder);
        }

        boolean hasAllPartitions() throws Exception {
            String group = kafka.topicPrefix() + "redliner-analyzer";
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .flatMap(described -> described.members().stream())
                    .flatMap(member -> member.assignment().topicPartitions().stream())
                    .filter(partition -> partition.topic().equals(topics.name(Topic.OBSERVATIONS))).count() == 4;
        }

        void announce() {
            send(Topic.RUNS,
                    Messages.run(RunPhase.RUN_PHASE_BASELINE, 1).setService(SERVICE).setRunId(run).setSut("a:1")
                            .clearGuards().setWindowLengthMs(WINDOW_MILLIS).setStartedAtMs(clock.millis()).build()
                            .toByteArray());
        }

        /** How many that know something there are by now, after the windows that have ended were reported. */
        int verdicts() throws Exception {
            for (; nextStart + WINDOW_MILLIS <= clock.millis(); nextStart += WINDOW_MILLIS) {
                observe("a:1");
                observe("b:1");
            }
            for (var record : consumer.poll(Duration.ofMillis(5))) {
                Verdict verdict = Verdict.parseFrom(record.value());
                // Of a window that closed before its records came, on a busy machine, nothing is known.
                if (verdict.getJudgement() != Judgement.JUDGEMENT_INCONCLUSIVE) {
                    read.add(verdict);
                }
            }
            return read.size();
        }

        private void observe(String instance) {
            sequence++;
            send(Topic.OBSERVATIONS, Messages.observation(instance, sequence, nextStart, requests, 10)
                    .setService(SERVICE).setWindowLengthMs(WINDOW_MILLIS).build().toByteArray());
        }

        @SuppressWarnings("FutureReturnValueIgnored") // Without the record there is no verdict.
        private void send(Topic topic, byte[] value) {
            producer.send(new ProducerRecord<>(topics.name(topic), SERVICE, value));
        }

        @Override
        public void close() {
            analyzer.close();
            consumer.close();
            producer.close();
            admin.close();
            kafka.close();
        }
    }
}
