// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StartConditions;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** A real Kafka that cannot tell yet where a topic is, as it is for the first record of a process. */
class LateTopicTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final RunState STATE = new RunState.Pending(new RunFacts("run", "shop", "10.0.0.1:80", 7,
            new Share(250_000), RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, START, Redirect.SPLIT,
            StartConditions.NONE, null, null));

    private final TestBroker kafka = TestKit.sharedBroker();

    private final List<String> outcomes = new CopyOnWriteArrayList<>();

    private KafkaCommandPublisher publisher(TopicNames names, String deliveryTimeout) {
        return new KafkaCommandPublisher(new KafkaProperties(kafka.bootstrapServers(), names.prefix(), Map.of()),
                new CommandPublisherProperties(Duration.parse(deliveryTimeout)));
    }

    private CommandPublisher.DeliveryCallback outcome(String what) {
        return new CommandPublisher.DeliveryCallback() {

            @Override
            public void delivered() {
                outcomes.add(what);
            }

            @Override
            public void failed(String reason) {
                outcomes.add(what + " failed: " + reason);
            }
        };
    }

    private void publishRun(KafkaCommandPublisher publisher, RunPhase phase) {
        publisher.publishRun(new StoredRun("run", new CanonicalPlan("plan", "hash", "{}"), STATE, 0, 0, START, null),
                RunRules.NONE, phase,
                List.of(), outcome(phase.wireName()));
    }

    private void publishLease(KafkaCommandPublisher publisher) {
        publisher.publishLease(STATE,
                new Lease(7, 3, new Share(250_000), START, START.plusSeconds(5), Duration.ofSeconds(5), true),
                outcome("release"));
    }

    private void create(TopicNames names, Topic topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(names.name(topic), 1, (short) 1))).all().get();
        }
    }

    @Test
    void the_first_records_wait_for_their_topic_and_arrive_in_order() throws Exception {
        var names = new TopicNames(kafka.topicPrefix() + "late.");
        try (KafkaCommandPublisher publisher = publisher(names, "PT1M")) {
            publishRun(publisher, RunPhase.PREPARING);
            publishRun(publisher, RunPhase.BASELINE);
            assertThat(outcomes).isEmpty();

            create(names, Topic.RUNS);

            await().until(() -> outcomes.size() == 2);
            assertThat(outcomes).containsExactly("Preparing", "Baseline");
        }
    }

    @Test
    void a_release_does_not_wait_for_the_topic_of_the_runs() throws Exception {
        var names = new TopicNames(kafka.topicPrefix() + "half.");
        create(names, Topic.LEASES);
        try (KafkaCommandPublisher publisher = publisher(names, "PT1M")) {
            publishRun(publisher, RunPhase.PREPARING);
            publishLease(publisher);

            await().until(() -> !outcomes.isEmpty());
            assertThat(outcomes).containsExactly("release");
        }
    }

    @Test
    void each_record_of_a_topic_that_never_comes_is_reported_once() {
        try (KafkaCommandPublisher publisher = publisher(new TopicNames(kafka.topicPrefix() + "never."), "PT0.5S")) {
            publishRun(publisher, RunPhase.PREPARING);
            publishRun(publisher, RunPhase.BASELINE);
            publishRun(publisher, RunPhase.FINISHED);

            await().until(() -> outcomes.size() == 3);
            assertThat(outcomes.getFirst()).startsWith("Preparing failed: Topic").contains("not present");
            assertThat(outcomes.subList(1, 3)).containsExactly(
                    "Baseline failed: the records before it were not delivered in time",
                    "Finished failed: the records before it were not delivered in time");
        }
    }

    @Test
    void nothing_is_lost_in_silence_by_a_publisher_that_was_closed() {
        KafkaCommandPublisher publisher = publisher(new TopicNames(kafka.topicPrefix()), "PT1M");
        publisher.close();

        publishLease(publisher);

        assertThat(outcomes).containsExactly("release failed: this controller is stopping");
    }
}
