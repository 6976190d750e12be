// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import static org.awaitility.Awaitility.await;

import io.redliner.controller.ControllerApplication;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.embedded.FreePort;
import io.redliner.fixture.Broker;
import io.redliner.fixture.Database;
import io.redliner.fixture.Fixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.JsonNode;

/** A controller over real Kafka and PostgreSQL, with a data plane that is played. */
public final class Scene implements AutoCloseable {

    private static final AtomicInteger SERVICES = new AtomicInteger();

    private static final Supplier<Scene> SHARED = SingletonSupplier.of(Scene::new);

    private final Path kafkaFolder;

    private final int kafkaPort;

    private Broker kafka;

    private final String databaseUrl;

    private final Runnable stopDatabase;

    private boolean databaseStopped;

    /** So that what its controllers start can be told from what others in this process started. */
    private final ThreadGroup threads = new ThreadGroup("scene");

    private final List<FakeDataPlane> planes = new ArrayList<>();

    private ConfigurableApplicationContext context;

    private Client client;

    public Scene() {
        this(Map.of());
    }

    /** With settings, and a client that sends these headers with each request. */
    public Scene(Map<String, Object> settings, String... headers) {
        this(Fixture.database(), settings, headers);
    }

    private Scene(Database database, Map<String, Object> settings, String... headers) {
        this(database.jdbcUrl(), database::close, settings, headers);
    }

    /** Over a database that the test breaks. */
    public Scene(BreakableDatabase database) {
        this(database.jdbcUrl(), database::close, Map.of());
    }

    private Scene(String databaseUrl, Runnable stopDatabase, Map<String, Object> settings, String... headers) {
        this.databaseUrl = databaseUrl;
        this.stopDatabase = stopDatabase;
        this.kafkaFolder = temporaryFolder();
        this.kafkaPort = FreePort.next();
        this.kafka = Fixture.broker(kafkaFolder, kafkaPort);
        this.context = startController(settings);
        this.client = client(context).with(headers);
    }

    /** One scene for all tests that break nothing which others need; it ends with the process. */
    public static Scene shared() {
        return SHARED.get();
    }

    /** For good. */
    public void stopDatabase() {
        databaseStopped = true;
        stopDatabase.run();
    }

    public void stopKafka() {
        kafka.close();
    }

    public void startKafkaAgain() {
        kafka = Fixture.broker(kafkaFolder, kafkaPort);
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("controller-kafka");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
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
        return List.of("--redliner.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--spring.datasource.url=" + databaseUrl);
    }

    public ConfigurableApplicationContext startController(Map<String, Object> more) {
        List<String> arguments = new ArrayList<>(settings());
        arguments.add("--server.port=0");
        more.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        FutureTask<ConfigurableApplicationContext> start = new FutureTask<>(
                () -> ControllerApplication.builder().run(arguments.toArray(String[]::new)));
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

    /** A played data plane that the controller has heard of. */
    public FakeDataPlane plane(String service) {
        FakeDataPlane plane = new FakeDataPlane(kafka.bootstrapServers(), service);
        adopt(plane);
        return plane;
    }

    public String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    /** Waits until the controller has heard of it, and closes it in the end. */
    public void adopt(FakeDataPlane plane) {
        planes.add(plane);
        awaitKnown(plane.service());
    }

    public void awaitKnown(String service) {
        await().until(() -> {
            for (JsonNode known : client.get("/api/v1/services").json().get("items")) {
                if (known.get("name").asString().equals(service) && known.get("fresh").asBoolean()) {
                    return true;
                }
            }
            return false;
        });
    }

    public static String plan(String service, String name) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  sut: {instance: "10.0.0.1:8080"}
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('100ms')"}
                  guards:
                    - {name: fleet-errors, expr: "service.error_rate <= 0.01"}
                  limits: {maxShare: 60%%, maxDuration: 2m, harmBudget: 1%%, window: 100ms}
                """.formatted(name, service);
    }

    /** Starts a run and gives its id. */
    public String start(String service) {
        return startPlan(plan(service, service));
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

    /** A controller that cannot answer now, as its database is away, is asked again. */
    public JsonNode awaitPhase(String id, String... phases) {
        await().atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> List.of(phases).contains(run(id).path("phase").asString("")));
        return run(id);
    }

    @Override
    public void close() throws InterruptedException {
        context.close();
        for (FakeDataPlane plane : planes) {
            plane.close();
        }
        kafka.close();
        if (!databaseStopped) {
            stopDatabase.run();
        }
    }
}
