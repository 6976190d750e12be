// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.redliner.controller.scene.Scene;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A real API server, which has validated what Helm made of the chart, and a controller with the rights that the chart gives it. The
 * controller looks at the objects of the namespaces {@code shop} and {@code search} when the test lets it. A process has one cluster at a
 * time.
 */
@ResourceLock(KubernetesClusterFixture.KUBECONFIG)
abstract class KubernetesClusterFixture {

    static final String KUBECONFIG = "kubeconfig";

    static final Path CHART = Path.of("..", "..", "deploy", "helm", "redliner").toAbsolutePath().normalize();

    @TempDir
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    static KubeApiServer server;

    /** May do everything. */
    @SuppressWarnings("NullAway.Init")
    static KubernetesClient admin;

    @SuppressWarnings("NullAway.Init")
    static Scene scene;

    @BeforeAll
    static void start() throws Exception {
        server = KubeApiServer.start(folder);
        admin = server.admin();
        for (String namespace : List.of("redliner", "shop", "search")) {
            admin.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata()
                    .build()).create();
        }
        helm("install", "redliner", CHART.toString(), "-f", CHART.resolve("ci/required.yaml").toString(), "--set",
                "kubernetes.enabled=true,kubernetes.holdAutoscalers=true,kubernetes.namespaces={shop,search}");
        System.setProperty(KUBECONFIG, server.kubeconfig(false).toString());
        scene = Scene.virtual(following("10m"));
    }

    @AfterAll
    static void stop() throws Exception {
        System.clearProperty(KUBECONFIG);
        if (scene != null) {
            scene.close();
        }
        if (admin != null) {
            admin.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** Returns the settings of a controller that looks by itself so often. */
    static Map<String, Object> following(String interval) {
        return Map.of("redliner.controller.kubernetes.enabled", true,
                "redliner.controller.kubernetes.namespaces", "shop,search",
                "redliner.controller.kubernetes.hold-autoscalers", true,
                "redliner.controller.kubernetes.interval", interval);
    }

    static String helm(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(KubeApiServer.helm().toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--kubeconfig", server.kubeconfig(true).toString(), "--namespace", "redliner"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    static void look() {
        scene.context().getBean(KubernetesReconciler.class).reconcile();
    }

    static Map<String, String> problems() {
        return scene.context().getBean(KubernetesReconciler.class).lastLook().problems();
    }
}
