// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.PlanRepository;
import io.redliner.controller.service.persistence.ScheduleQueries;
import io.redliner.controller.service.persistence.ScheduleRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.sla.RuleCompiler;
import io.redliner.testkit.PlanText;
import io.redliner.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Several controllers' schedulers on one real PostgreSQL, with a clock that can be moved, and runs that are only noted. */
final class Cluster implements AutoCloseable {

    static final PlanReader READER = new PlanReader(new RuleCompiler());

    private static final PlanWriter WRITER = new PlanWriter();

    private final TestDatabase database = Databases.migrated();

    private final List<Node> nodes = new ArrayList<>();

    /** Every call that would have started a run, as node and key. */
    final List<String> calls = new CopyOnWriteArrayList<>();

    final Map<String, String> runs = new ConcurrentHashMap<>();

    private final AtomicInteger started = new AtomicInteger();

    final Map<String, BlackoutTimes> calendars = new ConcurrentHashMap<>();

    volatile boolean busy;

    /** At first so far that the clock shows a full minute: no test takes long enough to see the next one by itself. */
    volatile Duration ahead = untilTheNextMinute(Instant.now());

    final InstantSource clock = () -> InstantSource.system().instant().plus(ahead);

    final Node first;

    Cluster() {
        this.first = node("first", new ScheduleProperties(Duration.ofMillis(100), Duration.ofMillis(200), 2,
                Duration.ofMinutes(1), Duration.ofMillis(300)));
    }

    private DataSource dataSource() {
        // By name: the build wants nothing in tests alone that the controller itself needs when it runs.
        try {
            Class<?> pool = Class.forName("com.zaxxer.hikari.HikariDataSource");
            Object source = pool.getConstructor().newInstance();
            pool.getMethod("setJdbcUrl", String.class).invoke(source, database.jdbcUrl());
            return (DataSource) source;
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(missing);
        }
    }

    Node node(String name) {
        return node(name, first.properties);
    }

    Node node(String name, ScheduleProperties properties) {
        Node node = new Node(name, properties);
        nodes.add(node);
        return node;
    }

    static String plan(String name, String schedule) {
        return PlanText.named(name, "shop", "10.0.0.1:8080", PlanText.sla("100ms"), "schedule: " + schedule);
    }

    /** Moves the clock to a little after the next full minute. */
    Instant nextMinute() {
        Instant now = clock.instant();
        Duration left = untilTheNextMinute(now);
        ahead = ahead.plus(left).plusMillis(5);
        return now.plus(left);
    }

    private static Duration untilTheNextMinute(Instant now) {
        return Duration.between(now, now.truncatedTo(ChronoUnit.MINUTES).plusSeconds(60));
    }

    @Override
    public void close() throws Exception {
        for (Node node : nodes) {
            node.close();
        }
        database.close();
    }

    /** One controller. */
    final class Node implements RunStarter, AutoCloseable {

        final String name;

        final ScheduleProperties properties;

        final DataSource source = dataSource();

        final JdbcClient jdbc = JdbcClient.create(source);

        final TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(source));

        final FiringRepository firings = new FiringRepository(jdbc);

        final ScheduleQueries queries = new ScheduleQueries(jdbc, firings);

        final UnreadableRows unreadable = new UnreadableRows();

        final ScheduleService schedules;

        final PlanRepository plans;

        final DeploymentFiringHandler deployments;

        final UpcomingFiringsService upcoming;

        final SchedulerLifecycle scheduler;

        volatile boolean stuck;

        Node(String name, ScheduleProperties properties) {
            this.name = name;
            this.properties = properties;
            ScheduleRepository store = new ScheduleRepository(jdbc);
            ScheduledTaskRepository tasks = new ScheduledTaskRepository(source, jdbc,
                    ScheduledTaskRepository.FIRINGS);
            CalendarLookup stored = (calendar, zone) -> Optional.ofNullable(calendars.get(calendar));
            FiringService firingService = new FiringService(firings, this, stored, properties,
                    new SimpleMeterRegistry(), clock);
            ScheduledPlans readable = new ScheduledPlans(READER, unreadable);
            this.schedules = new ScheduleService(store, tasks, READER, readable, stored, transaction, clock);
            this.plans = new PlanRepository(jdbc, transaction, List.of(schedules));
            this.deployments = new DeploymentFiringHandler(store, firings, firingService, tasks, readable, clock);
            this.upcoming = new UpcomingFiringsService(store, readable, stored);
            this.scheduler = SchedulingConfiguration.schedulerLifecycle(source,
                    new ScheduledFiringHandler(store, firingService, readable, stored, properties, clock), deployments,
                    List.of(SchedulingConfiguration.reconcileSchedules(schedules)), properties, clock);
        }

        void put(String text) {
            try {
                Plan plan = READER.read(text);
                PlanRepository.Content content = new PlanRepository.Content(WRITER.write(plan), WRITER.hash(plan),
                        null);
                if (!plans.replace(plan.name(), content, clock.instant())) {
                    plans.create(plan.name(), content, clock.instant());
                }
            } catch (InvalidDocumentException invalid) {
                throw new AssertionError(invalid);
            }
        }

        Optional<Firing> last(String plan) {
            return firings.ofPlan(plan, null, 1).stream().findFirst();
        }

        Optional<Instant> next(String plan) {
            return queries.find(plan).map(ScheduleQueries.Overview::next);
        }

        @Override
        public Optional<String> started(String key) {
            return Optional.ofNullable(runs.get(key));
        }

        @Override
        public Answer start(Plan plan, @Nullable String deployment, String key) {
            if (busy) {
                return new Answer.Refused("service-busy", "service shop is being tested", true);
            }
            calls.add(name + " " + key);
            String run = runs.computeIfAbsent(key, unused -> "run-" + started.getAndIncrement());
            if (stuck) {
                disconnect();
                throw new IllegalStateException("the controller died here");
            }
            return new Answer.Started(run);
        }

        /** It can neither say that it lives nor what it has done. */
        private void disconnect() {
            try {
                ((AutoCloseable) source).close();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }

        @Override
        public void close() throws Exception {
            if (scheduler.isRunning()) {
                scheduler.stop();
            }
            ((AutoCloseable) source).close();
        }
    }
}
