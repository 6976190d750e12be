// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.accesslog.AccessLogServer;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.EmbeddedKafka;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyProcess;
import io.redliner.embedded.FreePort;
import io.redliner.redirector.envoy.XdsServer;
import io.redliner.standalone.demo.InstanceModel;
import io.redliner.standalone.stack.StackComponent;
import io.redliner.testkit.PlanText;
import io.redliner.testkit.TestCertificateAuthority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/**
 * All components with a secured broker and a secured PostgreSQL. The broker asks for a certificate and a password, and gives
 * each component only its own rights. The components verify PostgreSQL's certificate. The settings are those of the chart for
 * {@code SASL_SSL} and {@code verify-full}; the rights are those of docs/operations.
 */
@Tag("fault")
class SecuredTest {

    /** As in the certificates. */
    private static final String HOST = "localhost";

    private static final String MECHANISM = "SCRAM-SHA-512";

    private static final String LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule required";

    private static final String CLIENT = "redliner";

    private static final String PASSWORD = "a secret; 'of' $10";

    @TempDir
    private Path folder;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private TestCertificateAuthority certificates;

    private Path clientCertificate;

    private int kafkaPort;

    private EmbeddedKafka kafka;

    private EmbeddedDatabase database;

    private OwnService service;

    @BeforeEach
    void start() throws Exception {
        certificates = new TestCertificateAuthority(folder, "authority");
        Path certificate = certificates.certificate(HOST);
        clientCertificate = certificates.certificate(CLIENT);
        kafkaPort = FreePort.next();
        kafka = keep(EmbeddedKafka.startTemporary(new EmbeddedKafka.Listener(kafkaPort, "SASL_SSL",
                Map.of("ssl.keystore.type", "PEM", "ssl.keystore.certificate.chain", Files.readString(certificate),
                        "ssl.keystore.key", Files.readString(certificates.key(HOST)), "ssl.truststore.type", "PEM",
                        "ssl.truststore.certificates", Files.readString(certificates.authority()), "ssl.client.auth",
                        "required", "sasl.enabled.mechanisms", MECHANISM, "scram-sha-512.sasl.jaas.config",
                        LOGIN + ";"))));
        try (Admin admin = admin()) {
            admin.alterUserScramCredentials(
                    Arrays.stream(StackComponent.values()).map(SecuredTest::credential).toList()).all()
                    .get();
            admin.createAcls(Arrays.stream(StackComponent.values()).flatMap(SecuredTest::rights).toList()).all().get();
        }
        database = keep(EmbeddedDatabase.startTemporary(Map.of("ssl", "on", "ssl_cert_file", certificate.toString(),
                "ssl_key_file", ownersAlone(certificates.key(HOST)).toString())));
        service = keep(new OwnService("shop", 150, Collections.nCopies(3,
                new OwnService.Member(new InstanceModel(12, Duration.ofMillis(20), 0.4, 200), 1))));
    }

    @AfterEach
    void stop() throws Exception {
        while (!parts.isEmpty()) {
            parts.pop().close();
        }
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    /** One who may do everything. */
    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    private String secured() {
        return HOST + ":" + kafkaPort;
    }

    private static String user(StackComponent room) {
        return room.name().toLowerCase(Locale.ROOT);
    }

    private static UserScramCredentialAlteration credential(StackComponent room) {
        return new UserScramCredentialUpsertion(user(room),
                new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), PASSWORD);
    }

    private static Stream<AclBinding> rights(StackComponent room) {
        Stream<AclBinding> all = Stream.of(Topic.values())
                .map(topic -> right(room, ResourceType.TOPIC, TopicNames.DEFAULT.name(topic), AclOperation.DESCRIBE));
        Stream<AclBinding> own = switch (room) {
            case CONTROLLER -> Stream
                    .of(on(room, AclOperation.READ, Topic.VERDICTS, Topic.LEASE_STATUS, Topic.DEPLOYMENTS),
                            on(room, AclOperation.WRITE, Topic.RUNS, Topic.LEASES),
                            on(room, AclOperation.CREATE, Topic.values()),
                            Stream.of(right(room, ResourceType.GROUP, "redliner-controller-deployments",
                                    AclOperation.READ)))
                    .flatMap(Function.identity());
            case REDIRECTOR -> Stream.concat(on(room, AclOperation.READ, Topic.LEASES),
                    on(room, AclOperation.WRITE, Topic.LEASE_STATUS));
            case COLLECTOR -> Stream.concat(on(room, AclOperation.READ, Topic.RUNS),
                    on(room, AclOperation.WRITE, Topic.OBSERVATIONS));
            case ANALYZER -> Stream.of(on(room, AclOperation.READ, Topic.OBSERVATIONS, Topic.RUNS),
                    on(room, AclOperation.WRITE, Topic.VERDICTS, Topic.PARKED),
                    Stream.of(ResourceType.GROUP, ResourceType.TOPIC)
                            .map(type -> right(room, type, PatternType.PREFIXED,
                                    "redliner-analyzer", AclOperation.ALL)))
                    .flatMap(Function.identity());
        };
        return Stream.concat(all, own);
    }

    private static Stream<AclBinding> on(StackComponent room, AclOperation operation, Topic... topics) {
        return Stream.of(topics)
                .map(topic -> right(room, ResourceType.TOPIC, TopicNames.DEFAULT.name(topic), operation));
    }

    private static AclBinding right(StackComponent room, ResourceType type, String name, AclOperation operation) {
        return right(room, type, PatternType.LITERAL, name, operation);
    }

    private static AclBinding right(StackComponent room, ResourceType type, PatternType pattern, String name,
            AclOperation operation) {
        return new AclBinding(new ResourcePattern(type, name, pattern),
                new AccessControlEntry("User:" + user(room), "*", operation, AclPermissionType.ALLOW));
    }

    /** What PostgreSQL asks of its key. */
    private static Path ownersAlone(Path key) throws IOException {
        return Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    /** As {@code redliner.kafka} of the chart has them. */
    private Map<String, String> kafka(StackComponent room, String password) throws IOException {
        return Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", MECHANISM, "sasl.jaas.config",
                LOGIN + " username=\"" + user(room) + "\" password=\"" + password + "\";", "ssl.truststore.type", "PEM",
                "ssl.truststore.location", certificates.authority().toString(), "ssl.keystore.type", "PEM",
                "ssl.keystore.certificate.chain", Files.readString(clientCertificate), "ssl.keystore.key",
                Files.readString(certificates.key(CLIENT)));
    }

    private ConfigurableApplicationContext start(StackComponent room, Map<String, String> own) throws IOException {
        Map<String, String> settings = new HashMap<>();
        kafka(room, PASSWORD).forEach((name, value) -> settings.put("redliner.kafka.properties[" + name + "]", value));
        settings.putAll(Map.of("redliner.kafka.bootstrap-servers", secured(), "server.port", "0",
                "spring.main.banner-mode", "off", "logging.config",
                "classpath:standalone-logback.xml", "spring.autoconfigure.exclude", room.excludedAutoConfigurations()));
        settings.putAll(own);
        return keep(room.application().registerShutdownHook(false).run(settings.entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue()).toArray(String[]::new)));
    }

    @Test
    void a_run_passes_over_a_broker_and_a_database_that_know_their_clients_and_are_known_by_them() throws Exception {
        try (Admin admin = admin()) {
            // The controller is to create them.
            admin.deleteTopics(admin.listTopics().names().get()).all().get();
        }
        Path services = Files.writeString(folder.resolve("services.yaml"), "services:\n" + service.entry());
        ConfigurableApplicationContext room = start(StackComponent.CONTROLLER,
                Map.of("spring.datasource.url", database.jdbcUrl()
                        + "&sslmode=verify-full&sslrootcert=" + certificates.authority()));
        ConfigurableApplicationContext redirector = start(StackComponent.REDIRECTOR,
                Map.of("redliner.redirector.xds.port", "0", "redliner.redirector.services.file", services.toString()));
        ConfigurableApplicationContext collector = start(StackComponent.COLLECTOR,
                Map.of("redliner.collector.access-log.port", "0"));
        start(StackComponent.ANALYZER,
                Map.of("redliner.analyzer.stream.state-directory", folder.resolve("analyzer").toString()));
        keep(EnvoyProcess.start(EnvoyBinary.locate(), EnvoyBootstrap.everything("secured",
                redirector.getBean(XdsServer.class).port(), collector.getBean(AccessLogServer.class).port(),
                FreePort.next()), folder.resolve("envoy")));
        ApiClient controller = keep(new ApiClient(URI.create(
                "http://127.0.0.1:" + room.getEnvironment().getRequiredProperty("local.server.port"))));
        service.awaitReady(controller);
        controller.putPlan("smoke", PlanText.named("smoke", service.name(), service.instance(0), "profile: smoke",
                "smoke: {hold: 5s}", PlanText.sla("5s"),
                "limits: {maxShare: 60%, maxRaise: 2x, maxDuration: 2m, harmBudget: 20%, window: 500ms}"));

        String run = controller.startRun("smoke");

        JsonNode ended = RunEnd.awaitOf(controller, run, Duration.ofMinutes(3));
        assertThat(ended.path("outcome").asString()).as(ended.toString()).isEqualTo("PASSED");
        assertThat(ended.path("restore").path("proof").asString()).as(ended.toString()).isEqualTo("MEASURED");
        assertThat(encryptedConnections()).as("the controller's connections").isNotEmpty().doesNotContain(false);
    }

    @Test
    void nobody_else_may_send_leases() throws Exception {
        assertThat(sending(kafka(StackComponent.CONTROLLER, PASSWORD))).isEmpty();
        assertThat(sending(kafka(StackComponent.COLLECTOR, PASSWORD))).contains(TopicAuthorizationException.class);
        assertThat(sending(kafka(StackComponent.CONTROLLER, "another"))).contains(SaslAuthenticationException.class);
        Map<String, String> anonymous = new HashMap<>(kafka(StackComponent.CONTROLLER, PASSWORD));
        anonymous.keySet().removeIf(name -> name.startsWith("ssl.keystore."));
        assertThat(sending(anonymous)).contains(SslAuthenticationException.class);
    }

    /** How a lease is refused. */
    private Optional<Class<?>> sending(Map<String, String> client) throws InterruptedException {
        Map<String, Object> settings = new HashMap<>(client);
        settings.put("bootstrap.servers", secured());
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings, new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(Topic.LEASES), new byte[0], new byte[0])).get();
            return Optional.empty();
        } catch (ExecutionException refused) {
            return Optional.of(refused.getCause().getClass());
        }
    }

    /** Whether each client's connection is encrypted, but this one. */
    private List<Boolean> encryptedConnections() throws SQLException {
        List<Boolean> encrypted = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                ResultSet rows = connection.createStatement().executeQuery("""
                        SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()""")) {
            while (rows.next()) {
                encrypted.add(rows.getBoolean(1));
            }
        }
        return encrypted;
    }
}
