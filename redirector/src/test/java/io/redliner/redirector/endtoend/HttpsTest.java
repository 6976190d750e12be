// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.testkit.TestCertificateAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.Environment;

/** The redirector's own port with the settings that the Helm chart's {@code http.tls} makes, as all components have them. */
class HttpsTest {

    private static final String HOST = "localhost";

    @Test
    void speaks_https_and_takes_the_next_certificate_of_a_secret_without_a_restart(@TempDir Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        TestCertificateAuthority first = new TestCertificateAuthority(folder, "first");
        TestCertificateAuthority second = new TestCertificateAuthority(folder, "second");
        Path secret = Files.createDirectory(folder.resolve("secret"));
        put(secret, "..1", first);
        for (String file : new String[]{"tls.crt", "tls.key"}) {
            Files.createSymbolicLink(secret.resolve(file), Path.of("..data", file));
        }
        Path services = Files.writeString(folder.resolve("services.yaml"), """
                services:
                  - name: shop
                    listen: "127.0.0.1:%d"
                    instances: ["127.0.0.1:9001", "127.0.0.1:9002"]
                """.formatted(FreePort.next()));

        try (RunningRedirector redirector = RunningRedirector.start(services, 0, "server.ssl.bundle=http",
                "spring.ssl.bundle.pem.http.reload-on-update=true",
                "spring.ssl.bundle.pem.http.keystore.certificate=file:" + secret.resolve("tls.crt"),
                "spring.ssl.bundle.pem.http.keystore.private-key=file:" + secret.resolve("tls.key"),
                "spring.ssl.bundle.watch.file.quiet-period=100ms")) {
            int port = redirector.bean(Environment.class).getRequiredProperty("local.server.port", Integer.class);
            assertThat(status(port, first)).isEqualTo(200);
            assertThatThrownBy(() -> status(port, second)).isInstanceOf(SSLHandshakeException.class);

            put(secret, "..2", second);

            await().ignoreException(SSLHandshakeException.class).until(() -> status(port, second) == 200);
        }
    }

    /** As Kubernetes does it: all files at once, by a link that is moved over the one before. */
    private static void put(Path secret, String version, TestCertificateAuthority certificates) throws IOException {
        Path files = Files.createDirectory(secret.resolve(version));
        Files.copy(certificates.certificate(HOST), files.resolve("tls.crt"));
        Files.copy(certificates.key(HOST), files.resolve("tls.key"));
        Path link = Files.createSymbolicLink(secret.resolve("..data_tmp"), Path.of(version));
        Files.move(link, secret.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static int status(int port, TestCertificateAuthority trusted) throws IOException, GeneralSecurityException,
            InterruptedException {
        URI liveness = URI.create("https://" + HOST + ":" + port + "/actuator/health/liveness");
        try (HttpClient client = HttpClient.newBuilder().sslContext(trusting(trusted)).build()) {
            return client.send(HttpRequest.newBuilder(liveness).build(), BodyHandlers.discarding()).statusCode();
        }
    }

    private static SSLContext trusting(TestCertificateAuthority trusted) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(trusted.authority())) {
            store.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
