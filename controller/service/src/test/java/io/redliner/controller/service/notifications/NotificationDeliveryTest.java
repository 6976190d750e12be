// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.notification.RetryPolicy;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.service.persistence.NotificationQueries;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Status;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real PostgreSQL and real receivers; only time is played. */
@Timeout(600)
@SequentialTests
class NotificationDeliveryTest {

    private static NotifyScene scene;

    private final Hook hook = new Hook();

    private final CountDownLatch end = new CountDownLatch(1);

    private final List<NotifyScene.Deliveries> controllers = new ArrayList<>();

    @BeforeAll
    static void open() {
        scene = new NotifyScene();
    }

    @AfterAll
    static void closeScene() throws Exception {
        scene.close();
    }

    @AfterEach
    void close() throws Exception {
        end.countDown();
        controllers.forEach(NotifyScene.Deliveries::stop);
        scene.jdbc.sql("DELETE FROM notification").update();
        scene.jdbc.sql("DELETE FROM notification_task").update();
        hook.close();
    }

    private NotifyScene.Deliveries start() {
        NotifyScene.Deliveries deliveries = scene.deliveries();
        controllers.add(deliveries);
        deliveries.start();
        return deliveries;
    }

    private StoredRun aborted() {
        return scene.aborted(NotifyScene.webhook(hook.url("/secret-path")));
    }

    /** Passes time until a condition holds: one receiver gets its messages one after the other. */
    private static void awaitInTurn(BooleanSupplier condition) {
        await().pollInterval(scene.properties.poll()).until(() -> {
            scene.pass(scene.properties.poll());
            return condition.getAsBoolean();
        });
    }

    private static void awaitState(StoredRun run, String state) {
        await().untilAsserted(() -> assertThat(scene.state(run)).isEqualTo(state));
    }

    private static NotificationQueries.View message(StoredRun run) {
        return Objects.requireNonNull(scene.message(run));
    }

    @Test
    void a_receiver_is_notified_once_and_can_verify_it() {
        StoredRun run = aborted();
        start();

        awaitState(run, "delivered");
        await().untilAsserted(() -> assertThat(scene.tasks()).isZero());
        assertThat(hook.requests()).hasSize(1);
        Hook.Request request = hook.requests().getFirst();
        long timestamp = Long.parseLong(request.headers().get("webhook-timestamp"));
        assertThat(request.id()).isEqualTo(message(run).id());
        assertThat(timestamp).isEqualTo(scene.clock.instant().getEpochSecond());
        assertThat(request.headers()).containsEntry("webhook-signature",
                WebhookSigningKey.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                        .sign(String.valueOf(request.id()), timestamp, request.text().getBytes(UTF_8)));
        assertThat(request.headers()).as("a CloudEvent in binary mode").containsEntry("ce-specversion", "1.0")
                .containsEntry("ce-id", String.valueOf(request.id()))
                .containsEntry("ce-type", "io.redliner.run.aborted")
                .containsEntry("ce-source", "/api/v1/runs/" + run.id()).containsKeys("ce-time", "ce-subject");
        JsonNode body = JsonMapper.shared().readTree(request.text());
        assertThat(body.get("type").asString()).isEqualTo("run.aborted");
        assertThat(body.at("/data/runId").asString()).isEqualTo(run.id());
        assertThat(body.at("/data/sut").asString()).isEqualTo("10.0.0.1:80");
        assertThat(body.at("/data/plan/hash").asString()).isEqualTo("hash");
        assertThat(body.at("/data/phase").asString()).isEqualTo("Finished");
        assertThat(body.at("/data/outcome").asString()).isEqualTo("ABORTED");
        assertThat(body.at("/data/stopReason/detail").asString()).isEqualTo("wrong <day>");
        assertThat(body.at("/data/harm/requests").asDouble()).isZero();
        assertThat(body.at("/data/links/run").asString()).isEqualTo("/api/v1/runs/" + run.id());
    }

    @Test
    void what_was_not_decided_is_not_notified() {
        StoredRun run = scene.run(NotifyScene.webhook(hook.url("/")));

        scene.transaction.executeWithoutResult(status -> {
            scene.decide(run, new RunEvent.AbortRequested("never"));
            assertThat(scene.messages(run)).hasSize(1);
            assertThat(scene.tasks()).isEqualTo(1);
            status.setRollbackOnly();
        });

        assertThat(scene.messages(run)).isEmpty();
        assertThat(scene.tasks()).isZero();
    }

    @Test
    void each_receiver_is_notified_of_the_events_it_asked_for() {
        String section = "[{\"webhook\": \"" + hook.url("/a") + "\", \"on\": [\"started\", \"aborted\"]},"
                + "{\"slack\": \"" + hook.url("/b") + "\"}, {\"webhook\": \"" + hook.url("/c")
                + "\", \"on\": [\"breached\"]}]";
        StoredRun begun = scene.decide(scene.run(section), new RunEvent.Submitted(List.of("r1")));
        assertThat(scene.messages(begun)).extracting(NotificationQueries.View::event).containsExactly("started");

        scene.pass(Duration.ofSeconds(1));
        StoredRun restoring = scene.decide(begun, new RunEvent.AbortRequested("enough"));
        scene.pass(Duration.ofMinutes(1));
        StoredRun finished = scene.decide(restoring, new RunEvent.Tick());

        assertThat(scene.messages(finished)).extracting(message -> message.event() + " " + message.kind())
                .containsExactlyInAnyOrder("started webhook", "aborted webhook", "aborted slack");
        start();
        awaitInTurn(() -> hook.requests().size() == 3);
        assertThat(hook.requests()).filteredOn(request -> request.path().equals("/b"))
                .allMatch(request -> request.text().contains("\"blocks\"")
                        && !request.headers().containsKey("webhook-signature"));
    }

    @Test
    void a_failure_is_tried_again_when_its_time_has_come_and_says_no_secret() {
        hook.behave(Hook.status("500 Oops"));
        StoredRun run = aborted();
        start();
        await().until(() -> scene.state(run).equals("waiting") && message(run).lastError() != null);

        NotificationQueries.View waiting = message(run);
        assertThat(waiting.lastError()).isEqualTo("answered 500");
        assertThat(waiting.attempts()).isEqualTo(1);
        assertThat(waiting.nextAttemptAt()).isEqualTo(scene.clock.instant().plusSeconds(5));
        assertThat(waiting.toString()).contains("127.0.0.1").doesNotContain("secret-path");
        hook.behave(Hook::ok);
        scene.pass(Duration.ofMillis(4900));
        StoredRun other = aborted();
        awaitState(other, "delivered");
        assertThat(scene.state(run)).isEqualTo("waiting");
        scene.pass(Duration.ofMillis(200));

        awaitState(run, "delivered");
        assertThat(hook.requests()).extracting(Hook.Request::id).filteredOn(waiting.id()::equals).hasSize(2);
    }

    @Test
    void one_that_is_gone_is_given_up_at_once_until_somebody_asks_again() {
        hook.behave(Hook.status("410 Gone"));
        StoredRun run = aborted();
        NotifyScene.Deliveries deliveries = start();
        awaitState(run, "dead");
        assertThat(message(run).lastError()).contains("410");
        deliveries.monitor().run();
        assertThat(scene.queries.unreached(10))
                .extracting(NotificationQueries.Unreached::receiver, NotificationQueries.Unreached::dead,
                        NotificationQueries.Unreached::lastError)
                .containsExactly(tuple(message(run).receiver(), 1L, message(run).lastError()));
        assertThat(deliveries.monitor().health().getDetails())
                .containsEntry("unreached", scene.queries.unreached(10))
                .containsEntry("dead", 1L);
        assertThat(scene.meters.get("redliner.notifications").tag("result", "dead").counter().count()).isPositive();

        hook.behave(Hook::ok);
        assertThat(scene.store.retry(message(run).id(), scene.clock.instant())).isTrue();

        awaitState(run, "delivered");
    }

    @Test
    void a_message_that_waited_a_day_is_given_up() {
        hook.behave(Hook.status("500 Oops"));
        StoredRun run = aborted();
        start();
        await().until(() -> message(run).lastError() != null);

        scene.pass(Duration.ofHours(25));

        awaitState(run, "dead");
        assertThat(message(run).lastError()).contains("given up");
        assertThat(hook.requests()).hasSize(1);
    }

    @Test
    void one_that_hangs_holds_up_nobody_else() throws Exception {
        try (Hook good = new Hook()) {
            hook.behave((request, socket) -> end.await());
            for (int number = 0; number < 5; number++) {
                aborted();
            }
            start();
            await().until(() -> !hook.requests().isEmpty());

            List<StoredRun> others = new ArrayList<>();
            for (int number = 0; number < 5; number++) {
                others.add(scene.aborted(NotifyScene.webhook(good.url("/" + number))));
            }

            await().until(() -> good.requests().size() == 5);
            assertThat(hook.requests()).hasSize(1);
            others.forEach(run -> awaitState(run, "delivered"));
            await("the others ask for their turn at different times").untilAsserted(() -> assertThat(scene.jdbc
                    .sql("SELECT count(DISTINCT execution_time) FROM notification_task WHERE execution_time > :now")
                    .param("now", Timestamp.from(scene.clock.instant()))
                    .query(Integer.class)
                    .single()).isEqualTo(4));
        }
    }

    @Test
    void a_retry_by_hand_during_an_attempt_counts_more_than_its_failure() {
        hook.behave(Hook.after(end, Hook.status("500 Oops")));
        StoredRun run = aborted();
        start();
        await().until(() -> hook.requests().size() == 1);

        assertThat(scene.store.retry(message(run).id(), scene.clock.instant())).isTrue();
        hook.behave(Hook::ok);
        end.countDown();

        awaitState(run, "delivered");
        assertThat(message(run).attempts()).isEqualTo(1);
    }

    @Test
    void controllers_that_race_deliver_each_message_once() {
        List<Hook> hooks = List.of(hook, new Hook(), new Hook(), new Hook());
        int messages = 60;
        for (int number = 0; number < messages; number++) {
            scene.aborted(NotifyScene.webhook(hooks.get(number % hooks.size()).url("/" + number % 20)));
        }

        start();
        start();
        start();

        awaitInTurn(() -> scene.queries.list(NotificationQueries.State.DELIVERED, null, null, 1000)
                .size() == messages);
        List<String> ids = hooks.stream().flatMap(one -> one.requests().stream()).map(Hook.Request::id).toList();
        assertThat(ids).hasSize(messages).doesNotHaveDuplicates();
    }

    @Test
    void a_controller_that_dies_between_sending_and_writing_it_down_loses_nothing() throws Exception {
        StoredRun run = aborted();
        try (NotificationHttpClient poster = new NotificationHttpClient(Duration.ofSeconds(1), 1, scene.clock)) {
            NotificationSender sender = new NotificationSender(new RunJsonMapper(), scene.receivers, poster, null,
                    new NotificationLinks(null), scene.clock);
            assertThat(sender.send(begin(run))).isEqualTo(new DeliveryResult.Delivered());
        }

        start();
        StoredRun later = scene.aborted(NotifyScene.webhook(hook.url("/later")));
        awaitState(later, "delivered");
        assertThat(scene.state(run)).isEqualTo("waiting");
        scene.pass(scene.properties.claim().plusSeconds(1));

        awaitState(run, "delivered");
        assertThat(hook.requests()).extracting(Hook.Request::id).filteredOn(message(run).id()::equals).hasSize(2);
    }

    @Test
    void a_late_failure_of_an_attempt_that_lost_its_claim_says_nothing() {
        StoredRun run = aborted();
        ClaimedNotification old = begin(run);
        scene.pass(scene.properties.claim().plusSeconds(1));
        ClaimedNotification newer = begin(run);
        assertThat(newer.id()).isEqualTo(old.id());

        scene.store.settle(old, new RetryPolicy.Next.Dead("late"), scene.clock.instant());
        assertThat(scene.state(run)).isEqualTo("waiting");
        scene.store.settle(old, new RetryPolicy.Next.Done(), scene.clock.instant());
        scene.store.settle(newer, new RetryPolicy.Next.Dead("later"), scene.clock.instant());

        assertThat(scene.state(run)).isEqualTo("delivered");
    }

    private static ClaimedNotification begin(StoredRun run) {
        return scene.begin(run).orElseThrow();
    }

    @Test
    void a_controller_that_stops_in_the_middle_leaves_the_message_to_the_next() {
        hook.behave((request, socket) -> end.await());
        StoredRun run = aborted();
        NotifyScene.Deliveries first = start();
        await().until(() -> hook.requests().size() == 1);

        first.stop();
        hook.behave(Hook::ok);
        start();
        scene.pass(scene.properties.claim().plusSeconds(1));

        awaitState(run, "delivered");
    }

    @Test
    void what_is_delivered_while_the_database_is_away_is_written_down_when_it_is_back() {
        hook.behave(Hook.after(end, Hook::ok));
        StoredRun run = aborted();
        StoredRun second = aborted();
        NotifyScene.Deliveries deliveries = start();
        await().until(() -> hook.requests().size() == 1);

        scene.stopDatabase();
        end.countDown();
        deliveries.monitor().run();
        assertThat(deliveries.monitor().health().getStatus()).isEqualTo(Status.DOWN);
        scene.startDatabaseAgain();
        scene.pass(Duration.ofSeconds(1));

        awaitState(run, "delivered");
        awaitState(second, "delivered");
        assertThat(hook.requests()).extracting(Hook.Request::id).doesNotHaveDuplicates().hasSize(2);
    }

    @Test
    void a_receiver_that_is_not_configured_any_more_may_come_back() {
        StoredRun run = scene.aborted("[{\"target\": \"pager\"}]");
        start();

        await().until(() -> message(run).lastError() != null);
        assertThat(scene.state(run)).isEqualTo("waiting");
        assertThat(message(run).lastError()).contains("do not know the receiver");
    }

    @Test
    void a_message_that_cannot_be_read_holds_up_nobody() {
        StoredRun poisoned = aborted();
        scene.jdbc.sql("UPDATE notification SET content = '[]' WHERE run_id = :run").param("run", poisoned.id())
                .update();
        StoredRun good = scene.aborted(NotifyScene.webhook(hook.url("/good")));
        start();

        awaitState(good, "delivered");
        await().untilAsserted(() -> assertThat(message(poisoned).lastError()).contains("could not be sent"));
    }

    /** The row itself, of a kind that only a newer version knows: claimed with others, it must not fail their claim. */
    @Test
    void a_message_of_an_unheard_kind_holds_up_nobody() {
        StoredRun poisoned = aborted();
        scene.jdbc.sql("UPDATE notification SET kind = 'PIGEON' WHERE run_id = :run").param("run", poisoned.id())
                .update();
        StoredRun good = scene.aborted(NotifyScene.webhook(hook.url("/good")));
        start();

        awaitState(good, "delivered");
        await().untilAsserted(() -> assertThat(scene.unreadable.named()).containsKey("notification"));
        awaitState(poisoned, "waiting");
    }

    @Test
    void messages_are_not_kept_for_ever() {
        StoredRun run = aborted();
        NotifyScene.Deliveries deliveries = start();
        awaitState(run, "delivered");

        scene.pass(Duration.ofDays(31));
        deliveries.monitor().run();

        assertThat(scene.state(run)).isEqualTo("none");
    }
}
