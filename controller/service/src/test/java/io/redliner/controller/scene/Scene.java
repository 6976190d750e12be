// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.TopicNames;
import io.redliner.controller.ControllerApplication;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.service.kafka.InMemoryBus;
import io.redliner.testkit.PlanText;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestDatabase;
import io.redliner.testkit.TestKit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.JsonNode;

/**
 * A controller with its REST layer over real PostgreSQL, and a data plane that is played: over real Kafka in the machine's
 * time, or in virtual time, in which a whole run takes milliseconds. Both have databases of their own on one server.
 */
public final class Scene implements AutoCloseable {

    private static final AtomicInteger SERVICES = new AtomicInteger();

    private static final Supplier<Scene> SHARED = SingletonSupplier.of(() -> virtual(Map.of()));

    private static final Supplier<Scene> SHARED_REAL = SingletonSupplier.of(() -> real(Map.of()));

    /** Spring initializes logging once per process, whatever the number of contexts. */
    private static final Object STARTING = new Object();

    private final @Nullable VirtualTime time;

    /** Somebody else with access to the topics publishes there, too. */
    public final InMemoryBus bus = new InMemoryBus();

    /** Its own, which the test may stop; absent: the one that all scenes share. */
    private final @Nullable BreakableBroker ownBroker;

    private final Supplier<TestBroker> sharedBroker = SingletonSupplier.of(TestKit::sharedBroker);

    private final String databaseUrl;

    private final Runnable stopDatabase;

    private boolean databaseStopped;

    /** Distinguishes the threads of this scene's controllers from other threads of this process. */
    private final ThreadGroup threads = new ThreadGroup("scene");

    private final List<FakeDataPlane> planes = new ArrayList<>();

    private ConfigurableApplicationContext context;

    private Client client;

    private Scene(@Nullable VirtualTime time, @Nullable BreakableBroker ownBroker, String databaseUrl,
            Runnable stopDatabase, Map<String, Object> settings, String... headers) {
        this.time = time;
        this.ownBroker = ownBroker;
        this.databaseUrl = databaseUrl;
        this.stopDatabase = stopDatabase;
        this.context = startController(settings);
        this.client = client(context).with(headers).after(this::passBetweenRequests);
    }

    /** In virtual time. The client sends these headers with each request. */
    public static Scene virtual(Map<String, Object> settings, String... headers) {
        TestDatabase database = Databases.migrated();
        return new Scene(new VirtualTime(InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS)), null,
                database.jdbcUrl(), database::close, settings, headers);
    }

    /** In the machine's time, over the broker that all scenes share. */
    public static Scene real(Map<String, Object> settings, String... headers) {
        TestDatabase database = Databases.migrated();
        return new Scene(null, null, database.jdbcUrl(), database::close, settings, headers);
    }

    /** In the machine's time, over a broker and a database server of its own, which the test may stop. */
    public static Scene breakable() {
        TestDatabase database = TestKit.database();
        return new Scene(null, new BreakableBroker(), database.jdbcUrl(), database::close, Map.of());
    }

    /** In the machine's time, over a broker of its own and a database that the test breaks. */
    public static Scene breakable(BreakableDatabase database) {
        return new Scene(null, new BreakableBroker(), database.jdbcUrl(), database::close, Map.of());
    }

    /** One scene in virtual time for all tests that break nothing which others need; it ends with the process. */
    public static Scene shared() {
        return SHARED.get();
    }

    /** One scene in the machine's time, over real Kafka, for tests that break nothing which others need. */
    public static Scene sharedReal() {
        return SHARED_REAL.get();
    }

    public TestBroker broker() {
        return ownBroker == null ? sharedBroker.get() : ownBroker.broker();
    }

    /** No two requests are made at the same instant. */
    private void passBetweenRequests() {
        if (time != null) {
            time.advance(Duration.ofMillis(VirtualTime.SLICE_MS));
        }
    }

    public Instant now() {
        return context.getBean(InstantSource.class).instant();
    }

    /** Lets virtual time pass. */
    public void pass(Duration duration) {
        Objects.requireNonNull(time, "the machine's time passes by itself").advance(duration);
    }

    /** Lets the controller's time pass until the condition is met. */
    public void until(BooleanSupplier condition) {
        if (time == null) {
            await().until(condition::getAsBoolean);
        } else {
            time.until(condition);
        }
    }

    public void during(Duration duration, BooleanSupplier condition) {
        if (time == null) {
            await().during(duration).until(condition::getAsBoolean);
        } else {
            time.during(duration, condition);
        }
    }

    /**
     * Waits for something that a thread of its own does in the machine's time, such as a notification or an event stream;
     * virtual time goes on meanwhile.
     */
    public void untilReal(BooleanSupplier condition) {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            if (time != null) {
                time.advance(Duration.ofMillis(VirtualTime.SLICE_MS));
            }
            return condition.getAsBoolean();
        });
    }

    /** What somebody does in the machine's time, on a thread of its own, while the controller's time passes. */
    public <T> T meanwhile(Supplier<T> action) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(action, Thread::startVirtualThread);
        untilReal(result::isDone);
        return result.join();
    }

    /** The lines of a stream that ends while time passes. */
    public List<String> lines(String path, String... headers) {
        return meanwhile(() -> client.stream(path, headers).toList());
    }

    /** For good. */
    public void stopDatabase() {
        databaseStopped = true;
        stopDatabase.run();
    }

    public void loseRecords(boolean lost) {
        bus.outage = lost ? "records get lost" : null;
    }

    public void stopKafka() {
        own().close();
    }

    public void startKafkaAgain() {
        own().startAgain();
    }

    private BreakableBroker own() {
        return Objects.requireNonNull(ownBroker, "the shared broker is not stopped");
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    public Client client() {
        return client;
    }

    /** Another controller in a process of its own. */
    public ControllerProcess startProcess() {
        return startProcess(Map.of());
    }

    /** Another controller, in a process of its own, with settings. */
    public ControllerProcess startProcess(Map<String, Object> more) {
        List<String> arguments = new ArrayList<>(settings());
        more.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return ControllerProcess.start(arguments);
    }

    private List<String> settings() {
        return List.of("--redliner.kafka.bootstrap-servers=" + broker().bootstrapServers(),
                "--redliner.kafka.topic-prefix=" + broker().topicPrefix(),
                "--spring.datasource.url=" + databaseUrl,
                "--redliner.controller.retention.every=1000d");
    }

    public ConfigurableApplicationContext startController(Map<String, Object> more) {
        List<String> arguments = new ArrayList<>(settings());
        arguments.add("--server.port=0");
        more.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        FutureTask<ConfigurableApplicationContext> start = new FutureTask<>(
                () -> {
                    synchronized (STARTING) {
                        return builder().run(arguments.toArray(String[]::new));
                    }
                });
        new Thread(threads, start, "scene-start").start();
        try {
            return start.get();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(failed.getCause());
        }
    }

    private SpringApplicationBuilder builder() {
        SpringApplicationBuilder builder = ControllerApplication.builder();
        if (time != null) {
            builder.initializers(this::inVirtualTime);
        }
        return builder;
    }

    private void inVirtualTime(ConfigurableApplicationContext starting) {
        GenericApplicationContext beans = (GenericApplicationContext) starting;
        beans.registerBean("virtualTime", VirtualTime.class, () -> time, bean -> bean.setPrimary(true));
        beans.registerBean("virtualTicker", VirtualTicker.class, Objects.requireNonNull(time)::ticker,
                bean -> bean.setPrimary(true));
        beans.registerBean("virtualPublisher", CommandPublisher.class, bus::publisher, bean -> bean.setPrimary(true));
        beans.registerBean("virtualSource", VerdictSource.class,
                () -> bus.source(starting.getBean(VerdictSource.Listener.class)), bean -> bean.setPrimary(true));
    }

    /** The names of its controllers' live threads. */
    Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> threads.equals(thread.getThreadGroup()))
                .map(Thread::getName)
                .collect(Collectors.toSet());
    }

    public static Client client(ConfigurableApplicationContext context) {
        return new Client(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    /** Another controller in the place of the one that was closed. */
    public void restart() {
        context = startController(Map.of());
        client = client(context);
    }

    /** A service that no test had before. */
    public String newService() {
        return "service-" + SERVICES.incrementAndGet();
    }

    /** A simulated data plane whose report the controller has received. */
    public FakeDataPlane plane(String service) {
        FakeDataPlane plane = newPlane(service);
        adopt(plane);
        return plane;
    }

    /** A played data plane, whether the controller knows it or not. */
    public FakeDataPlane newPlane(String service) {
        return time == null ? new FakeDataPlane(broker(), service) : new FakeDataPlane(bus, time, service);
    }

    /** The names of its topics. */
    public TopicNames topics() {
        return new TopicNames(broker().topicPrefix());
    }

    /** Waits until the controller has received a report of the data plane, and closes the data plane in the end. */
    public void adopt(FakeDataPlane plane) {
        planes.add(plane);
        awaitKnown(plane.service());
    }

    public void awaitKnown(String service) {
        until(() -> {
            for (JsonNode known : client.get("/api/v1/services").json().get("items")) {
                if (known.get("name").asString().equals(service) && known.get("fresh").asBoolean()) {
                    return true;
                }
            }
            return false;
        });
    }

    public static String plan(String service, String name) {
        return PlanText.named(name, service, "10.0.0.1:8080",
                "sla:\n    - {name: latency, expr: \"latency.p99 <= duration('100ms')\"}",
                "guards:\n    - {name: fleet-errors, expr: \"service.error_rate <= 0.01\"}",
                "limits: {maxShare: 60%, maxDuration: 2m, harmBudget: 1%, window: 100ms}");
    }

    /** Starts a run and gives its id. */
    public String start(String service) {
        return startPlan(plan(service, service));
    }

    /** The id of a run that is over, of a service of its own. */
    public String finishedRun() {
        String id = start(plane(newService()).service());
        awaitPhase(id, "Finished");
        return id;
    }

    /** Starts a run of a plan and gives its id. */
    public String startPlan(String plan) {
        Answer answer = client.post("/api/v1/runs", plan);
        if (answer.status() != 202) {
            throw new AssertionError(answer.response().body());
        }
        return answer.json().get("id").asString();
    }

    public JsonNode run(String id) {
        return client.get("/api/v1/runs/" + id).json();
    }

    /** A controller that cannot answer now, as its database is away, is asked again; a run that has ended is not waited for. */
    public JsonNode awaitPhase(String id, String... phases) {
        if (time == null) {
            await().pollInterval(Duration.ofMillis(50)).until(() -> hasReached(run(id), List.of(phases)));
        } else {
            JdbcClient.StatementSpec phase = context.getBean(JdbcClient.class)
                    .sql("SELECT phase FROM run WHERE id = ?")
                    .param(id);
            time.until(() -> List.of(phases).contains(phase.query(String.class).single()));
        }
        return run(id);
    }

    private static boolean hasReached(JsonNode run, List<String> phases) {
        String phase = run.path("phase").asString("");
        assertThat(phase).as(run.toPrettyString()).matches(now -> phases.contains(now) || !now.equals("Finished"));
        return phases.contains(phase);
    }

    @Override
    public void close() throws InterruptedException {
        context.close();
        for (FakeDataPlane plane : planes) {
            plane.close();
        }
        if (ownBroker != null) {
            ownBroker.close();
        } else {
            sharedBroker.get().close();
        }
        if (!databaseStopped) {
            stopDatabase.run();
        }
    }
}
