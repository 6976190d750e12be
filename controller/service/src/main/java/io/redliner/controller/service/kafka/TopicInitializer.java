// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.retry.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Creates missing topics as soon as Kafka answers, also when one is deleted later. Every controller tries to. Existing topics are
 * not changed.
 */
final class TopicInitializer implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(TopicInitializer.class);

    private static final int TIMEOUT_MILLIS = 5_000;

    /**
     * Time between two checks, ms. A deleted topic is missing for at most that long: meanwhile no run can start, and no redirector
     * receives the kill switch.
     */
    private static final int POLL_MILLIS = 1_000;

    /** Maximum time between two checks while Kafka does not answer, ms. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    private final KafkaProperties kafka;

    private final TopicNames topics;

    private final TopicProperties properties;

    private final Backoff backoff;

    private final CountDownLatch closed = new CountDownLatch(1);

    private final Thread worker;

    private volatile String problem = "Kafka was not asked yet";

    /** True while all topics exist with the required settings. For the worker's thread. */
    private boolean whole;

    TopicInitializer(KafkaProperties kafka, TopicProperties properties, InstantSource clock) {
        this.kafka = kafka;
        this.topics = kafka.topics();
        this.properties = properties;
        this.backoff = new Backoff(Duration.ofMillis(POLL_MILLIS), MAX_PAUSE, clock);
        this.worker = Thread.ofPlatform().name("controller-topics").daemon().unstarted(this::work);
    }

    /** Returns the problem that the last check found; empty when there is none. */
    String problem() {
        return problem;
    }

    @Override
    public void start() {
        worker.start();
    }

    @Override
    public void stop() {
        closed.countDown();
        worker.interrupt();
    }

    @Override
    public boolean isRunning() {
        return worker.isAlive();
    }

    private void work() {
        try {
            while (!closed.await(0, TimeUnit.MILLISECONDS)) {
                watch();
                closed.await(backoff.failed().toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException interrupted) {
            LOG.debug("the look at the topics was interrupted", interrupted);
        }
    }

    /** Looks at the topics until Kafka does not answer. */
    private void watch() throws InterruptedException {
        try (Admin admin = Admin.create(kafka.client(Map.of(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                TIMEOUT_MILLIS, AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS)))) {
            do {
                report(check(admin));
                backoff.succeeded();
            } while (!closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS));
        } catch (ExecutionException refused) {
            report("the topics cannot be looked at or created: " + refused.getCause());
        } catch (KafkaException unusable) {
            report("there is no client for Kafka: " + unusable);
        }
    }

    private void report(String newest) {
        if (!newest.isEmpty() && !newest.equals(problem)) {
            LOG.warn("{}", newest);
        }
        problem = newest;
    }

    /** Returns the problem with the topics; empty when there is none. */
    private String check(Admin admin) throws ExecutionException, InterruptedException {
        Set<String> present = admin.listTopics().names().get();
        List<Topic> missing = Arrays.stream(Topic.values()).filter(topic -> !present.contains(topics.name(topic)))
                .toList();
        if (missing.isEmpty() && whole) {
            return problem;
        }
        if (!missing.isEmpty()) {
            if (whole) {
                LOG.error("topics were deleted, with all that was in them: {}. A live run may end by it",
                        missing.stream().map(topics::name).toList());
                whole = false;
            }
            if (!properties.create()) {
                return "topics are missing: " + missing.stream().map(topics::name).toList()
                        + "; create them, or set redliner.controller.topics.create";
            }
            create(admin, missing, partitions(admin, present));
        }
        try {
            set(admin);
        } catch (ExecutionException refused) {
            if (!(refused.getCause() instanceof AuthorizationException)) {
                throw refused;
            }
            LOG.warn("this controller may not look at the topics' settings or change them, see docs/operations: {}",
                    refused.getCause().toString());
        }
        String uneven = uneven(describe(admin, Arrays.stream(Topic.values()).map(topics::name).toList()));
        whole = uneven.isEmpty();
        return uneven;
    }

    private static Collection<TopicDescription> describe(Admin admin, Collection<String> names)
            throws ExecutionException, InterruptedException {
        return admin.describeTopics(names).allTopicNames().get().values();
    }

    /** Returns the number of partitions of the existing topics: the records of a service need the same partition in each topic. */
    private int partitions(Admin admin, Set<String> present) throws ExecutionException, InterruptedException {
        return describe(admin, Arrays.stream(Topic.values()).map(topics::name).filter(present::contains).toList())
                .stream().mapToInt(topic -> topic.partitions().size()).max().orElse(properties.partitions());
    }

    private void create(Admin admin, List<Topic> missing, int partitions)
            throws ExecutionException, InterruptedException {
        try {
            admin.createTopics(missing.stream().map(topic -> new NewTopic(topics.name(topic), partitions,
                    properties.replicationFactor()).configs(topic.settings())).toList()).all().get();
            LOG.info("created the topics {}", missing.stream().map(topics::name).toList());
        } catch (ExecutionException refused) {
            if (!(refused.getCause() instanceof TopicExistsException)) {
                throw refused;
            }
            LOG.debug("another controller was first", refused);
        }
    }

    /** Gives topics of an earlier version the settings that this version needs, or logs which they lack. */
    private void set(Admin admin) throws ExecutionException, InterruptedException {
        Map<ConfigResource, Collection<AlterConfigOp>> wanted = new HashMap<>();
        Map<ConfigResource, Map<String, String>> settings = Arrays.stream(Topic.values()).collect(Collectors.toMap(
                topic -> new ConfigResource(ConfigResource.Type.TOPIC, topics.name(topic)), Topic::settings));
        admin.describeConfigs(settings.keySet()).all().get().forEach((topic, present) -> {
            List<AlterConfigOp> different = settings.getOrDefault(topic, Map.of()).entrySet().stream()
                    .filter(setting -> !setting.getValue().equals(value(present, setting.getKey())))
                    .map(setting -> new AlterConfigOp(new ConfigEntry(setting.getKey(), setting.getValue()),
                            AlterConfigOp.OpType.SET))
                    .toList();
            if (!different.isEmpty()) {
                wanted.put(topic, different);
            }
        });
        if (wanted.isEmpty()) {
            return;
        }
        if (!properties.create()) {
            LOG.warn(
                    "topics have other settings than they need, see docs/operations; set {}, or set redliner.controller."
                            + "topics.create",
                    wanted);
            return;
        }
        admin.incrementalAlterConfigs(wanted).all().get();
        LOG.info("set {}", wanted);
    }

    private static @Nullable String value(Config present, String name) {
        ConfigEntry entry = present.get(name);
        return entry == null ? null : entry.value();
    }

    /** Finds topics with different numbers of partitions: the records of a service need the same partition in each topic. */
    static String uneven(Collection<TopicDescription> topics) {
        Map<String, Integer> partitions = topics.stream().collect(Collectors.toMap(TopicDescription::name,
                topic -> topic.partitions().size(), (one, other) -> one, TreeMap::new));
        return partitions.values().stream().collect(Collectors.groupingBy(Function.identity())).size() <= 1
                ? ""
                : "all topics need the same number of partitions, and have " + partitions
                        + ": give each as many as the most";
    }
}
