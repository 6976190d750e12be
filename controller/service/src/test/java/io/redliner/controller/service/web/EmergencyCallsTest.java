// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.TcpLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** An abort and the kill switch are answered while everything else waits. */
class EmergencyCallsTest {

    private static final String REASON = "{\"reason\": \"it hurts\"}";

    private static final String TOKEN = "a-token-for-the-first-admin-of-all";

    private static final String[] ADMIN = {"Authorization", "Bearer " + TOKEN};

    /** What Tomcat has threads for by default is a fifth of it. */
    private static final int UPLOADS = 1000;

    /** Of requests with a body. */
    private static final int LET_IN = 200;

    private static final int MORE_THAN_LET_IN = 260;

    /** The main port has 320. */
    private static final int MORE_THAN_THREADS = 400;

    private static final int SHARED = 3;

    private final List<Socket> uploads = new ArrayList<>();

    private final List<Scene> scenes = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (Socket upload : uploads) {
            upload.close();
        }
        for (Scene scene : scenes) {
            scene.close();
        }
    }

    /** Clients that send one byte of their body, and keep the rest. */
    private void upload(ConfigurableApplicationContext controller, int count) throws IOException {
        int port = controller.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        for (int number = 0; number < count; number++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write("""
                    POST /api/v1/plans:validate HTTP/1.1\r
                    Host: localhost\r
                    Content-Type: application/yaml\r
                    Content-Length: 100000\r
                    \r
                    a""".getBytes(StandardCharsets.US_ASCII));
            uploads.add(socket);
        }
    }

    private static boolean answered(Socket upload) {
        try {
            return upload.getInputStream().available() > 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Of one test alone: what it does to the controller and its database would be felt by all others. */
    private Scene open(Map<String, Object> settings, String... headers) {
        Scene scene = Scene.virtual(settings, headers);
        scenes.add(scene);
        return scene;
    }

    @Test
    void the_kill_switch_and_an_abort_are_answered_beside_more_slow_uploads_than_are_let_in() throws Exception {
        stopBesideUploads(MORE_THAN_LET_IN, 0);
    }

    @Test
    @Tag("soak")
    void beside_a_thousand_slow_uploads_they_are_answered_within_a_second() throws Exception {
        // While a thousand requests arrive at once, two cores are busy for about a second.
        assertThat(stopBesideUploads(UPLOADS, UPLOADS - LET_IN))
                .allMatch(took -> took.compareTo(Duration.ofSeconds(1)) < 0);
    }

    /**
     * How long an abort and the kill switch took.
     *
     * @param refused uploads that are refused before
     */
    private List<Duration> stopBesideUploads(int count, int refused) throws IOException {
        Scene scene = open(Map.of("redliner.controller.access.body-timeout", "1m"));
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;
        String id = scene.start(plane.service());
        scene.awaitPhase(id, "Ramping");
        upload(scene.context(), count);
        await().until(() -> uploads.stream().filter(EmergencyCallsTest::answered).count() >= refused);

        List<Duration> took = new ArrayList<>();
        for (String call : List.of("/api/v1/runs/" + id + ":abort", "/api/v1/kill-switch")) {
            long before = System.nanoTime();
            assertThat(scene.client().post(call, REASON).status()).isEqualTo(202);
            took.add(Duration.ofNanos(System.nanoTime() - before));
        }
        assertThat(uploads).as("that is more than are let in").anyMatch(EmergencyCallsTest::answered)
                .as("and those that were let in are still under way").anyMatch(upload -> !answered(upload));
        return took;
    }

    @Test
    void who_has_no_token_is_refused_before_the_body_is_there() throws Exception {
        Scene scene = open(Map.of("redliner.controller.access.mode", "authenticated",
                "redliner.controller.access.bootstrap-token", TOKEN, "server.tomcat.connection-timeout", "1s",
                "redliner.controller.access.body-timeout", "1m"), ADMIN);
        upload(scene.context(), 1);

        String answer = new String(uploads.getFirst().getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(answer).as("and the connection is closed").startsWith("HTTP/1.1 401").contains("Connection: close");
    }

    /** Tomcat reads the rest of a body after the answer for as long as bytes come, in a thread of the request's port. */
    @Test
    @Tag("fault")
    void who_is_refused_and_goes_on_sending_a_body_slowly_holds_up_nobody() throws Exception {
        Scene scene = open(Map.of("redliner.controller.access.mode", "authenticated",
                "redliner.controller.access.bootstrap-token", TOKEN), ADMIN);
        upload(scene.context(), MORE_THAN_THREADS);
        await().until(() -> uploads.stream().filter(EmergencyCallsTest::answered).count() >= LET_IN);
        AtomicBoolean ended = new AtomicBoolean();
        Thread sending = Thread.ofVirtual().start(() -> {
            while (!ended.get()) {
                uploads.forEach(EmergencyCallsTest::sendByte);
                LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            }
        });

        try {
            await().atMost(Duration.ofSeconds(10)).until(() -> uploads.stream().allMatch(EmergencyCallsTest::answered));
            assertThat(scene.client().get("/api/v1/runs").status()).isEqualTo(200);
        } finally {
            ended.set(true);
            sending.join();
        }
    }

    private static void sendByte(Socket upload) {
        try {
            upload.getOutputStream().write('b');
        } catch (IOException closed) {
            // The controller closed it.
        }
    }

    @Test
    void a_body_that_does_not_arrive_in_time_is_refused() throws Exception {
        Scene scene = open(Map.of("redliner.controller.access.body-timeout", "1ms",
                "server.tomcat.connection-timeout", "1s"));
        upload(scene.context(), 1);
        Socket slow = uploads.getFirst();
        // A client that falls silent is answered by Tomcat: this one goes on.
        await().pollInterval(Duration.ofMillis(10)).until(() -> {
            slow.getOutputStream().write("b".getBytes(StandardCharsets.US_ASCII));
            return answered(slow);
        });

        String answer = new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(answer).startsWith("HTTP/1.1 408").contains("body-timeout", "within 1 ms");
    }

    @Test
    void viewers_that_hold_all_their_connections_cost_no_lease_and_hold_up_no_abort() throws Exception {
        Scene scene = open(Map.of("spring.datasource.hikari.connection-timeout", 250,
                "spring.datasource.hikari.maximum-pool-size", SHARED));
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;
        String id = scene.start(plane.service());
        scene.awaitPhase(id, "Ramping");
        List<Connection> held = new ArrayList<>();
        try {
            hold(held, scene.context().getBean(DataSource.class));
            assertThat(scene.client().get("/api/v1/runs").status()).isEqualTo(503);

            int leases = plane.leases().size();
            scene.pass(Duration.ofSeconds(20));
            assertThat(plane.leases().size()).as("renewals go on").isGreaterThan(leases + 10);
            assertThat(scene.client().post("/api/v1/runs/" + id + ":abort", REASON).json().get("phase"))
                    .as("it is stored, and the run can be shown").isNotNull();
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
        assertThat(scene.awaitPhase(id, "Finished").get("stopReason").get("code").asString())
                .isEqualTo("AbortRequested");
    }

    private static void hold(List<Connection> held, DataSource source) {
        await().until(() -> {
            try {
                held.add(source.getConnection());
            } catch (SQLException none) {
                // Somebody else has it for a moment.
            }
            return held.size() == SHARED;
        });
    }

    @Test
    void the_kill_switch_is_answered_while_the_database_hangs_and_sooner_than_the_database_is_given_up() {
        killSwitchWhileTheDatabaseHangs();
    }

    @Test
    @Tag("soak")
    void while_the_database_hangs_the_kill_switch_is_answered_within_a_second() {
        assertThat(killSwitchWhileTheDatabaseHangs()).isLessThan(Duration.ofSeconds(1));
    }

    private Duration killSwitchWhileTheDatabaseHangs() {
        Scene scene = open(Map.of());
        try (TcpLink link = link(scene); ConfigurableApplicationContext controller = behind(link, scene, Map.of())) {
            Client client = Scene.client(controller);
            link.hold();

            long before = System.nanoTime();
            Client.Answer answer = client.post("/api/v1/kill-switch", REASON);
            Duration took = Duration.ofNanos(System.nanoTime() - before);
            link.mend();

            assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
            assertThat(answer.json().get("stored").asBoolean()).isFalse();
            assertThat(took).isLessThan(Duration.ofMillis(controller.getEnvironment()
                    .getRequiredProperty("spring.datasource.hikari.connection-timeout", Long.class)));
            return took;
        }
    }

    @Test
    void a_token_that_was_known_some_time_ago_stops_runs_while_the_database_hangs() {
        Map<String, Object> access = Map.of("redliner.controller.access.mode", "authenticated",
                "redliner.controller.access.bootstrap-token", TOKEN);
        Scene scene = open(access, ADMIN);
        String token = scene.client().post("/api/v1/tokens", "{\"name\": \"ada\", \"role\": \"operator\"}").json()
                .get("token").asString();
        try (TcpLink link = link(scene); ConfigurableApplicationContext controller = behind(link, scene, access)) {
            assertThat(Scene.client(controller).get("/api/v1/runs").status()).isEqualTo(401);
            Client operator = Scene.client(controller).with("Authorization", "Bearer " + token);
            assertThat(operator.get("/api/v1/runs").status()).isEqualTo(200);

            scene.pass(Duration.ofSeconds(10));
            link.hold();
            Client.Answer answer = operator.post("/api/v1/kill-switch", REASON);
            link.mend();

            assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        }
    }

    private static TcpLink link(Scene scene) {
        return new TcpLink(URI.create(databaseUrl(scene).substring("jdbc:".length())).getPort());
    }

    private static ConfigurableApplicationContext behind(TcpLink link, Scene scene, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("spring.datasource.hikari.jdbc-url",
                databaseUrl(scene).replaceFirst(":\\d+/", ":" + link.port() + "/"));
        return scene.startController(all);
    }

    private static String databaseUrl(Scene scene) {
        return scene.context().getEnvironment().getRequiredProperty("spring.datasource.url");
    }
}
