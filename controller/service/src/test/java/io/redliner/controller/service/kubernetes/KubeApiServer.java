// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.redliner.embedded.FreePort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A real kube-apiserver on a real etcd, without nodes and controllers. Its user {@code redliner} is the chart's service account. */
final class KubeApiServer implements AutoCloseable {

    private static final String VERSION = "1.36.3";

    private static final String ADMIN = "admin-token";

    private static final String REDLINER = "redliner-token";

    private final Path folder;

    private final int port;

    private final int etcdPort;

    private final Process etcd;

    private Process server;

    private KubeApiServer(Path folder) throws Exception {
        this.folder = folder;
        this.port = FreePort.next();
        this.etcdPort = FreePort.next();
        String peers = "http://127.0.0.1:" + FreePort.next();
        String clients = "http://127.0.0.1:" + etcdPort;
        KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(2048);
        Files.writeString(folder.resolve("account.key"), "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.generateKeyPair().getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n");
        Files.writeString(folder.resolve("tokens.csv"), ADMIN + ",admin,1,system:masters\n" + REDLINER
                + ",system:serviceaccount:redliner:redliner-controller,2\n");
        this.etcd = start("etcd", List.of(program("etcd", "apt-get install etcd-server"), "--data-dir",
                folder.resolve("etcd").toString(), "--listen-client-urls", clients, "--advertise-client-urls", clients,
                "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster",
                "default=" + peers));
        try {
            this.server = startServer();
        } catch (Throwable failed) {
            end(etcd);
            throw failed;
        }
    }

    /** Starts both. The test is skipped, which CI counts as a failure, where one of the programs is missing. */
    static KubeApiServer start(Path folder) throws Exception {
        binary();
        return new KubeApiServer(folder);
    }

    private static Path binary() {
        Path cache = Path.of(Objects.requireNonNullElse(System.getenv("REDLINER_CACHE"),
                System.getProperty("user.home") + "/.cache/redliner"));
        Path binary = cache.resolve("kube-apiserver-" + VERSION);
        if (!Files.isExecutable(binary)) {
            return Assumptions.abort("there is no " + binary + ": .ci/kube-apiserver builds it with Go");
        }
        return binary;
    }

    static String program(String name, String install) {
        return find(name)
                .orElseGet(() -> Assumptions.abort(name + " is not on the PATH: " + install)).toString();
    }

    private static Optional<Path> find(String name) {
        return Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator, -1))
                .map(part -> Path.of(part, name)).filter(Files::isExecutable).findFirst();
    }

    /** Returns Helm from the PATH, or the one that deploy/helm/check keeps. */
    static Path helm() throws IOException {
        Optional<Path> installed = find("helm");
        if (installed.isPresent()) {
            return installed.get();
        }
        Path kept = binary().resolveSibling("chart");
        try (Stream<Path> files = Files.isDirectory(kept)
                ? Files.find(kept, 3,
                        (file, attributes) -> file.endsWith("bin/helm") && attributes.isRegularFile())
                : Stream.empty()) {
            return files.findFirst()
                    .orElseGet(() -> Assumptions.abort("there is no helm: deploy/helm/check fetches it"));
        }
    }

    private Process start(String name, List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile()).start();
    }

    private Process startServer() throws IOException {
        String key = folder.resolve("account.key").toString();
        List<String> command = new ArrayList<>(List.of(binary().toString()));
        command.addAll(List.of("--etcd-servers=http://127.0.0.1:" + etcdPort, "--cert-dir=" + folder.resolve("certs"),
                "--secure-port=" + port, "--bind-address=127.0.0.1", "--service-cluster-ip-range=10.0.0.0/24",
                "--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + key,
                "--service-account-signing-key-file=" + key, "--authorization-mode=RBAC",
                "--token-auth-file=" + folder.resolve("tokens.csv"), "--disable-admission-plugins=ServiceAccount"));
        Process started = start("kube-apiserver", command);
        try (KubernetesClient admin = admin()) {
            await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> {
                if (!started.isAlive()) {
                    throw new AssertionError("kube-apiserver ended, see " + folder);
                }
                return "ok".equals(admin.raw("/readyz"));
            });
        }
        return started;
    }

    /** Returns a client that may do everything. */
    KubernetesClient admin() {
        Config config = new ConfigBuilder(Config.empty()).withMasterUrl("https://127.0.0.1:" + port)
                .withOauthToken(ADMIN).withTrustCerts(true).withRequestRetryBackoffLimit(0).build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Writes a kubeconfig. */
    Path kubeconfig(boolean admin) throws IOException {
        return Files.writeString(folder.resolve(admin ? "admin.yaml" : "redliner.yaml"), """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: test}}]
                clusters: [{name: test, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
                users: [{name: test, user: {token: %s}}]
                """.formatted(port, admin ? ADMIN : REDLINER));
    }

    void stop() throws InterruptedException {
        end(server);
    }

    void startAgain() throws IOException {
        server = startServer();
    }

    private static void end(@Nullable Process process) throws InterruptedException {
        if (process != null) {
            process.destroy();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        end(server);
        end(etcd);
    }
}
