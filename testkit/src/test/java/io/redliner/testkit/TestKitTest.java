// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds of both providers. */
class TestKitTest {

    @TempDir
    private Path folder;

    @Test
    void a_broker_has_the_topics() throws Exception {
        try (TestBroker broker = TestKit.broker();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            assertThat(admin.listTopics().names().get())
                    .containsAll(names(broker));
            assertThat(broker.topicPrefix()).isEqualTo(TopicNames.DEFAULT_PREFIX);
        }
    }

    @Test
    void the_shared_broker_gives_each_who_asks_empty_topics_of_its_own_until_it_is_closed() throws Exception {
        try (TestBroker one = TestKit.sharedBroker();
                TestBroker other = TestKit.sharedBroker();
                Admin admin = Admin.create(Map.of("bootstrap.servers", one.bootstrapServers()))) {
            assertThat(other.bootstrapServers()).isEqualTo(one.bootstrapServers());
            assertThat(other.topicPrefix()).isNotEqualTo(one.topicPrefix());
            assertThat(admin.listTopics().names().get()).containsAll(names(one)).containsAll(names(other));
            long position = append(one);
            assertThat(append(one)).isEqualTo(position + 1);
            assertThat(append(other)).as("the first record").isEqualTo(position).isZero();

            String changelog = one.topicPrefix() + "changelog";
            admin.createTopics(List.of(new NewTopic(changelog, 1, (short) 1))).all().get();
            await().until(() -> admin.listTopics().names().get().contains(changelog));
            one.close();
            one.close();

            await().untilAsserted(() -> assertThat(admin.listTopics().names().get())
                    .noneMatch(name -> name.startsWith(one.topicPrefix())).containsAll(names(other)));
            assertThat(append(other)).isEqualTo(position + 1);
        }
    }

    private static List<String> names(TestBroker broker) {
        return Arrays.stream(Topic.values()).map(new TopicNames(broker.topicPrefix())::name).toList();
    }

    private static long append(TestBroker broker) throws Exception {
        try (var producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.bootstrapServers()),
                new StringSerializer(), new StringSerializer())) {
            return producer
                    .send(new ProducerRecord<>(new TopicNames(broker.topicPrefix()).name(Topic.LEASES), 0, "service",
                            "lease"))
                    .get().offset();
        }
    }

    @Test
    @Tag("fault")
    void a_broker_that_comes_back_has_its_data() throws Exception {
        int port = FreePort.next();
        String id;
        try (TestBroker broker = TestKit.broker(folder, port)) {
            id = idOfLeases(broker);
        }
        try (TestBroker broker = TestKit.broker(folder, port)) {
            assertThat(idOfLeases(broker)).isEqualTo(id);
        }
    }

    private static String idOfLeases(TestBroker broker) throws Exception {
        String topic = TopicNames.DEFAULT.name(Topic.LEASES);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            return admin.describeTopics(List.of(topic)).topicNameValues().values().iterator().next().get().topicId()
                    .toString();
        }
    }

    @Test
    @Tag("fault")
    void a_database_is_empty_and_one_that_comes_back_has_its_data() throws SQLException {
        int port = FreePort.next();
        try (TestDatabase database = TestKit.database(folder.resolve("data"), port)) {
            assertThat(number(database, "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"))
                    .isZero();
            execute(database, "CREATE TABLE kept AS SELECT 42 AS answer");
        }
        try (TestDatabase database = TestKit.database(folder.resolve("data"), port)) {
            assertThat(number(database, "SELECT answer FROM kept")).isEqualTo(42);
        }
        try (TestDatabase other = TestKit.database()) {
            assertThatThrownBy(() -> number(other, "SELECT answer FROM kept")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void databases_of_the_shared_server_are_apart_and_copies_have_what_their_template_has() throws SQLException {
        try (TestDatabase template = TestKit.sharedDatabase(); TestDatabase empty = TestKit.sharedDatabase()) {
            execute(template, "CREATE TABLE kept AS SELECT 42 AS answer");
            TestDatabase copy = TestKit.sharedDatabase(template);
            execute(copy, "UPDATE kept SET answer = 43");

            assertThat(number(template, "SELECT answer FROM kept")).isEqualTo(42);
            assertThat(number(copy, "SELECT answer FROM kept")).isEqualTo(43);
            assertThatThrownBy(() -> number(empty, "SELECT answer FROM kept")).isInstanceOf(SQLException.class);
            copy.refuseConnections();
            assertThatThrownBy(() -> number(copy, "SELECT 1")).hasMessageContaining("not currently accepting");
            copy.acceptConnections();
            assertThat(number(copy, "SELECT answer FROM kept")).isEqualTo(43);
            copy.close();
            assertThatThrownBy(() -> number(copy, "SELECT 1")).hasMessageContaining("does not exist");
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int number(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void a_proxy_lives_until_it_is_closed() {
        EnvoyBootstrap bootstrap = EnvoyBootstrap.everything("node-1", FreePort.next(), FreePort.next(),
                FreePort.next());
        TestProxy proxy = TestKit.proxy(bootstrap.withYaml(bootstrap.yaml()
                .replaceAll("(?s)dynamic_resources:.*?layered_runtime:",
                        "layered_runtime:")
                .replaceAll("(?s)layered_runtime:.*?static_resources:", "static_resources:")), folder);
        proxy.awaitLive(Duration.ofSeconds(30));
        assertThat(proxy.isAlive()).isTrue();
        assertThat(proxy.adminPort()).isEqualTo(bootstrap.adminPort());

        proxy.close();

        assertThat(proxy.isAlive()).isFalse();
    }

    @Test
    void another_provider_is_refused() {
        assertThatThrownBy(() -> TestKit.provider("minikube")).hasMessageContaining("embedded or testcontainers");
    }
}
