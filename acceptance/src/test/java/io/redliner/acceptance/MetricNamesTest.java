// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.testkit.PlanText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Every metric that a dashboard or an alert rule names exists, with the labels that it is selected and grouped by. The test
 * looks at a running stack, after a run ended and after failures that break no component.
 */
@Tag("soak")
@Execution(ExecutionMode.CONCURRENT)
class MetricNamesTest {

    @RegisterExtension
    final SharedStack shared = SharedStack.steady();

    /** Meters that begin with what this test does not cause: where they are registered, and with which labels. */
    private static final List<Accident> ACCIDENTS = List.of(
            new Accident("redliner_capacity_requests_per_second", "controller",
                    "\"redliner.capacity.requests.per.second\"", "service", "instance"),
            new Accident("redliner_retention_failures_total", "controller", "\"redliner.retention.failures\", \"kind\"",
                    "kind"),
            new Accident("redliner_controller_skipped_total", "controller",
                    "\"redliner.controller.skipped\", \"event\", \"verdict\", \"reason\"", "event", "reason"),
            new Accident("redliner_observations_missing_total", "analyzer", "\"redliner.observations.missing\""),
            new Accident("redliner_analyzer_takeovers_total", "analyzer", "\"redliner.analyzer.takeovers\", \"result\"",
                    "result"),
            new Accident("redliner_outside_requests_total", "collector",
                    "\"redliner.outside.requests\", \"service\"", "service"));

    private record Accident(String metric, String component, String counted, Set<String> labels) {

        Accident(String metric, String component, String counted, String... labels) {
            this(metric, component, counted, Set.of(labels));
        }
    }

    @Test
    void every_metric_and_label_that_dashboards_and_rules_name_exists() throws Exception {
        Expressions expressions = Expressions.ofDeployment();
        Map<String, Set<String>> wanted = expressions.selected();
        assertThat(wanted).containsKeys("redliner_run_phase", "redliner_restore_seconds_max");
        Map<String, Set<String>> there = new TreeMap<>(counted());
        try (Scrapes scrapes = new Scrapes()) {
            produceAll();
            System.gc();
            try {
                await("all metrics").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(2)).until(() -> {
                    scrapes.look(shared.stack());
                    return scrapes.seen().keySet().containsAll(without(wanted.keySet(), there.keySet()));
                });
            } catch (ConditionTimeoutException missing) {
                // The assertions below name what is missing.
            }
            there.putAll(scrapes.seen());
        }

        assertThat(there.keySet()).containsAll(wanted.keySet());
        wanted.forEach((metric, labels) -> assertThat(there.get(metric)).as(metric).containsAll(labels));
        for (Expressions.Grouping grouping : expressions.groupings()) {
            Set<String> labels = new TreeSet<>();
            grouping.metrics().forEach(metric -> labels.addAll(there.getOrDefault(metric, Set.of())));
            assertThat(labels).as(grouping.expression()).containsAll(grouping.labels());
        }
    }

    /** A run that is over, a plan that a deployment starts, and records that nobody can read. */
    private void produceAll() {
        OwnService service = shared.serve(SlowFleet.QUARTER_RATE.service("metrics"));
        ApiClient controller = shared.controller();
        try (KafkaProducer<byte[], byte[]> producer = producer(shared.stack().bootstrapServers())) {
            controller.putPlan("capped", plan(service, "capped",
                    "notify: [{webhook: \"http://127.0.0.1:9/\", on: [started]}]"));
            String run = controller.startRun("capped");
            List.of(Topic.OBSERVATIONS, Topic.DEPLOYMENTS)
                    .forEach(topic -> send(producer, topic, service, "not to be read"));
            JsonNode ended = RunEnd.awaitOf(controller, run, Duration.ofMinutes(3));
            // All metrics are there however the run ends: on a crowded machine it may not see each window of its hold.
            assertThat(ended.path("stopReason").path("code").asString()).as(ended.toString()).isNotEmpty();
            controller.putPlan("deployed", plan(service, "deployed", "schedule: {on: [deployment]}"));
            send(producer, Topic.DEPLOYMENTS, service,
                    "{\"service\": \"" + service.name() + "\", \"version\": \"2\"}");
        }
    }

    private static String plan(OwnService service, String name, String more) {
        return PlanText.named(name, service.name(), service.instance(0), "profile: load",
                "load: {share: 35%, ramp: 2s, hold: 10s}", PlanText.sla("2s"),
                "limits: {maxShare: 40%, maxRaise: 2x, maxDuration: 2m, harmBudget: 5%, window: 1s}", more);
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrapServers) {
        return new KafkaProducer<>(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, Topic topic, OwnService service, String text) {
        var sent = producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(topic),
                service.name().getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8)));
        await("a record on " + topic).until(sent::isDone);
    }

    /** The meters of accidents, each found in the source of its component. */
    private static Map<String, Set<String>> counted() throws IOException {
        Map<String, Set<String>> counted = new TreeMap<>();
        for (Accident accident : ACCIDENTS) {
            Path sources = Path.of("..", accident.component());
            try (var files = Files.walk(sources)) {
                boolean found = false;
                for (Path file : files.filter(one -> one.toString().matches(".*/src/main/java/.*\\.java")).toList()) {
                    found |= Files.readString(file).contains(accident.counted());
                }
                assertThat(found).as("%s in %s", accident.counted(), sources).isTrue();
            }
            counted.put(accident.metric(), accident.labels());
        }
        return counted;
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new HashSet<>(all);
        rest.removeAll(some);
        return rest;
    }
}
