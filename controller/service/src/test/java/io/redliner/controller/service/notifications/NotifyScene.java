// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StartPolicy;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.VirtualTime;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.JdbcRunRepository;
import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.NotificationRepository;
import io.redliner.controller.service.persistence.SafetyRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.controller.service.scheduling.SchedulerLifecycle;
import io.redliner.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs in a real database, and as many controllers that deliver as a test wants; time stands until it is moved. */
final class NotifyScene implements AutoCloseable {

    static final Map<String, Object> SETTINGS = Map.of("redliner.controller.notify.allow-private-addresses", true,
            "redliner.controller.notify.poll", "20ms", "redliner.controller.notify.timeout", "10s",
            "redliner.controller.notify.secrets.shop", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    private static final Pattern DELIVERING = Pattern.compile("db-scheduler-(?!execute-due|housekeeper).*");

    private final TestDatabase database = Databases.migrated();

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private final List<AutoCloseable> parts = new ArrayList<>();

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    final InstantSource clock = () -> now;

    final DeliveryProperties properties = bind(SETTINGS, DeliveryProperties.class);

    final ChannelRegistry receivers = new ChannelRegistry(bind(SETTINGS, NotificationProperties.class), false);

    final JdbcClient jdbc;

    private final Source source = new Source(database.jdbcUrl());

    final NotificationRepository store;

    final NotificationQueries queries;

    final UnreadableRows unreadable = new UnreadableRows();

    final JdbcRunRepository runs;

    final TransactionTemplate transaction;

    NotifyScene() {
        this.jdbc = JdbcClient.create(source);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(source));
        RunJsonMapper json = new RunJsonMapper();
        this.store = new NotificationRepository(jdbc, transaction,
                new ScheduledTaskRepository(source, jdbc, ScheduledTaskRepository.DELIVERIES), json, unreadable);
        this.queries = new NotificationQueries(jdbc);
        CapacityRepository capacities = new CapacityRepository(jdbc, json, new UnreadableRows());
        this.runs = new JdbcRunRepository(jdbc, transaction, json, new SafetyRepository(jdbc),
                new StartPolicy(1000, 1000),
                List.of(new NotificationEnqueuer(store, capacities, receivers, 0.1, meters)), new UnreadableRows());
    }

    static <T> T bind(Map<String, Object> settings, Class<T> type) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate("redliner.controller.notify",
                type);
    }

    void stopDatabase() {
        database.refuseConnections();
    }

    void startDatabaseAgain() {
        database.acceptConnections();
    }

    /** Refuses two connections in a row to the threads that deliver, after so many that they get from now on. */
    void refuseAfter(int connections) {
        source.left.set(connections + 2);
    }

    /** Returns true when both were refused. */
    boolean hasRefused() {
        return source.left.get() <= 0;
    }

    private static final class Source extends DriverManagerDataSource {

        private final AtomicInteger left = new AtomicInteger();

        Source(String url) {
            super(url);
        }

        @Override
        protected Connection getConnectionFromDriver(Properties settings) throws SQLException {
            if (DELIVERING.matcher(Thread.currentThread().getName()).matches()) {
                int before = left.getAndUpdate(number -> Math.max(0, number - 1));
                if (before == 1 || before == 2) {
                    throw new SQLException("refused by the test", "08001");
                }
            }
            return super.getConnectionFromDriver(settings);
        }
    }

    void pass(Duration time) {
        now = clock.instant().plus(time);
    }

    /** Returns the deliveries of another controller; pauses are as long as they can be. */
    Deliveries deliveries() {
        return deliveries(Duration.ofMillis(100));
    }

    Deliveries deliveries(Duration heartbeat) {
        NotificationHttpClient poster = new NotificationHttpClient(properties.timeout(), 16, clock);
        NotificationSender sender = new NotificationSender(new RunJsonMapper(), receivers, poster, null,
                new NotificationLinks(null), clock);
        SchedulerLifecycle scheduler = new SchedulerLifecycle(new TransactionAwareDataSourceProxy(source),
                new SchedulerLifecycle.Settings(ScheduledTaskRepository.DELIVERIES, properties.concurrency(),
                        1, properties.poll(), heartbeat, properties.poll(), Duration.ofMillis(500), 0),
                Map.of(ScheduledTaskRepository.DELIVERY,
                        new NotificationDeliveryHandler(store, sender, properties, meters, clock, () -> 1)),
                List.of(), clock);
        NotificationMonitor monitor = new NotificationMonitor(store, queries, scheduler, properties.keep(), meters,
                clock, new VirtualTime(now).ticker());
        parts.add(poster);
        return new Deliveries(scheduler, monitor);
    }

    /** Part of a controller. */
    record Deliveries(SchedulerLifecycle scheduler, NotificationMonitor monitor) {

        void start() {
            scheduler.start();
        }

        void stop() {
            if (scheduler.isRunning()) {
                scheduler.stop();
            }
        }
    }

    Optional<ClaimedNotification> begin(StoredRun run) {
        String endpoint = jdbc.sql("SELECT endpoint FROM notification WHERE run_id = :run")
                .param("run", run.id())
                .query(String.class)
                .single();
        return store.begin(endpoint, now, now.plus(properties.claim()));
    }

    /** Tasks that are scheduled. */
    int tasks() {
        return jdbc.sql("SELECT count(*) FROM notification_task").query(Integer.class).single();
    }

    /** A run whose plan has this section, in the JSON of a stored plan. */
    StoredRun run(String notify) {
        String id = UUID.randomUUID().toString();
        String service = "service-" + id;
        RunBounds bounds = new RunBounds(new Share(500_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1));
        RunOrder order = new RunOrder(new CanonicalPlan("weekly", "hash", "{\"spec\": {\"notify\": " + notify + "}}"),
                null, "default", 0,
                new RunFacts(id, service, "10.0.0.1:80", 0, new Share(250_000), bounds, RunTimeouts.DEFAULT, now),
                List.of());
        try {
            return runs.register(order, null, "body");
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    StoredRun decide(StoredRun run, RunEvent event) {
        DecisionRecord made = new DecisionRecord(run, null, event, RunDecider.decide(run.state(), event, now), now);
        assertThat(runs.record(List.of(made))).containsExactly(run.id());
        return made.after();
    }

    /** A run that was aborted before it began. */
    StoredRun aborted(String notify) {
        return decide(run(notify), new RunEvent.AbortRequested("wrong <day>"));
    }

    static String webhook(Object url) {
        return "[{\"webhook\": \"" + url + "\", \"secret\": \"shop\"}]";
    }

    List<NotificationQueries.View> messages(StoredRun run) {
        return queries.list(null, null, null, 1000)
                .stream()
                .filter(message -> message.runId().equals(run.id()))
                .toList();
    }

    NotificationQueries.@Nullable View message(StoredRun run) {
        return messages(run).stream().findFirst().orElse(null);
    }

    String state(StoredRun run) {
        NotificationQueries.View message = message(run);
        return message == null ? "none" : message.state();
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable part : parts) {
            part.close();
        }
        database.close();
    }
}
