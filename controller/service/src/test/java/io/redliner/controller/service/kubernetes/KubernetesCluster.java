// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real API server, which has validated what Helm made of the chart. As long as it runs, controllers of this process are clients with
 * the rights that the chart gives them.
 */
final class KubernetesCluster implements AutoCloseable {

    /** Held by tests that have a cluster: a process names one. */
    static final String LOCK = "kubeconfig";

    static final Path CHART = Path.of("..", "..", "deploy", "helm", "redliner").toAbsolutePath().normalize();

    private final KubeApiServer server;

    private final KubernetesClient admin;

    private KubernetesCluster(KubeApiServer server) {
        this.server = server;
        this.admin = server.admin();
    }

    /** Starts one whose controllers follow the objects of the namespaces {@code shop} and {@code search}. */
    static KubernetesCluster start(Path folder) throws Exception {
        KubernetesCluster cluster = new KubernetesCluster(KubeApiServer.start(folder));
        try {
            for (String namespace : List.of("redliner", "shop", "search")) {
                cluster.admin.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(namespace)
                        .endMetadata().build()).create();
            }
            cluster.helm("install", "redliner", CHART.toString(), "-f", CHART.resolve("ci/required.yaml").toString(),
                    "--set",
                    "kubernetes.enabled=true,kubernetes.holdAutoscalers=true,kubernetes.namespaces={shop,search}");
            System.setProperty(LOCK, cluster.server.kubeconfig(false).toString());
            return cluster;
        } catch (Throwable failed) {
            cluster.close();
            throw failed;
        }
    }

    String helm(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(KubeApiServer.helm().toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--kubeconfig", server.kubeconfig(true).toString(), "--namespace", "redliner"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    KubeApiServer server() {
        return server;
    }

    /** Returns a client that may do everything. */
    KubernetesClient admin() {
        return admin;
    }

    @Override
    public void close() throws Exception {
        System.clearProperty(LOCK);
        admin.close();
        server.close();
    }
}
