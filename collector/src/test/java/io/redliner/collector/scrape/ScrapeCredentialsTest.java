// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.redliner.collector.http.HttpCredentials;
import io.redliner.collector.source.InstancesProperties;
import io.redliner.testkit.TestCertificateAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** Instances that do not tell everybody. */
class ScrapeCredentialsTest {

    @TempDir
    private Path folder;

    private ScrapedService service;

    @BeforeEach
    void start() throws IOException {
        service = new ScrapedService();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private static ScrapeResult ask(URI uri, HttpCredentials credentials)
            throws InterruptedException, ExecutionException {
        ScrapeProperties properties = new ScrapeProperties(true, Duration.ofSeconds(10), Duration.ofSeconds(10),
                DataSize.ofMegabytes(1), 500, 1, credentials);
        try (ScrapeClient client = new ScrapeClient(properties, Runnable::run)) {
            return client.scrape(uri, Instant.EPOCH).get();
        }
    }

    @Test
    void without_credentials_the_error_says_where_they_go() {
        assertThatThrownBy(() -> ask(service.uri("/secret"), HttpCredentials.NONE))
                .hasStackTraceContaining("answers with the status 401; see redliner.collector.scrape.credentials");
    }

    @Test
    void with_a_user_and_a_password() throws Exception {
        assertThat(ask(service.uri("/secret"), new HttpCredentials("reader", "secret", null, null)).points())
                .isNotEmpty();
    }

    @Test
    void with_a_token_that_is_read_each_time() throws Exception {
        Path file = folder.resolve("token");
        HttpCredentials credentials = new HttpCredentials("", "", file, null);
        assertThatThrownBy(() -> ask(service.uri("/secret"), credentials))
                .hasStackTraceContaining("the token cannot be read from " + file);
        Files.writeString(file, "token-1\n");
        assertThatThrownBy(() -> ask(service.uri("/secret"), credentials)).hasStackTraceContaining("status 401");
        Files.writeString(file, "token-2\n");
        assertThat(ask(service.uri("/secret"), credentials).points()).isNotEmpty();
    }

    @Test
    void an_instance_whose_certificate_an_authority_of_ones_own_signed() throws Exception {
        TestCertificateAuthority certificates = new TestCertificateAuthority(folder, "own");
        certificates.certificate("localhost");
        HttpsServer server = https(certificates);
        URI uri = URI.create("https://localhost:" + server.getAddress().getPort() + "/metrics");
        try {
            assertThat(ask(uri, new HttpCredentials("", "", null, certificates.authority())).points()).hasSize(1);
            assertThatThrownBy(() -> ask(uri, HttpCredentials.NONE)).hasStackTraceContaining("certification path");
        } finally {
            server.stop(0);
        }
        Path nothing = Files.writeString(folder.resolve("nothing.pem"), "no certificate");
        assertThatThrownBy(() -> ask(uri, new HttpCredentials("", "", null, nothing)))
                .hasMessageContaining("redliner.collector.scrape.credentials.ca: " + nothing);
    }

    private static HttpsServer https(TestCertificateAuthority certificates)
            throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(certificates.store("localhost"), "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/metrics", exchange -> {
            byte[] text = "queue 4\n".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", ScrapedService.TEXT);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void a_url_with_a_user_is_refused_without_a_word_of_the_password() {
        assertThatThrownBy(() -> new InstancesProperties.Entry("shop", "10.0.0.1:80", false,
                URI.create("http://reader:secret@10.0.0.1/metrics"), null, 0))
                .hasMessageContaining("scrape of 10.0.0.1:80 has a user in its URL")
                .hasMessageContaining("redliner.collector.scrape.credentials.username")
                .hasMessageNotContaining("secret");
    }
}
