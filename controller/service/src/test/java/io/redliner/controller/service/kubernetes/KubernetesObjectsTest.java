// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** CapacityTests and RedlinerServices on a real API server. */
@Tag("contract")
@SequentialTests
class KubernetesObjectsTest extends KubernetesClusterFixture {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String service = scene.newService();

    private final FakeDataPlane plane = scene.plane(service);

    private final String name = "test-" + NAMES.incrementAndGet();

    private static Resource<GenericKubernetesResource> load(String text) {
        return admin.genericKubernetesResources("redliner.io/v1", text.contains("kind: CapacityTest")
                ? "CapacityTest"
                : "RedlinerService").load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String capacityTest(String namespace) {
        return Scene.plan(service, name).replace("metadata: {", "metadata: {namespace: " + namespace + ", ");
    }

    private void own(String namespace) {
        load("""
                apiVersion: redliner.io/v1
                kind: RedlinerService
                metadata: {namespace: %s, name: %s}
                spec: {}
                """.formatted(namespace, service)).create();
    }

    private Resource<GenericKubernetesResource> object() {
        return admin.genericKubernetesResources("redliner.io/v1", "CapacityTest").inNamespace("shop").withName(name);
    }

    private Map<String, Object> status() {
        Map<String, Object> status = object().get().get("status");
        return status == null ? Map.of() : status;
    }

    private String condition(String type) {
        return ((List<?>) Objects.requireNonNull(status().get("conditions"))).stream()
                .map(condition -> (Map<?, ?>) condition)
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition -> condition.get("status") + " " + condition.get("reason")).findFirst().orElse("");
    }

    private List<String> events() {
        return admin.v1().events().inNamespace("shop").list().getItems().stream()
                .filter(event -> name.equals(event.getInvolvedObject().getName())).map(Event::getReason).sorted()
                .toList();
    }

    private void requestRun(String value) {
        object().edit(object -> {
            object.getMetadata().setAnnotations(Map.of(CapacityTest.RUN_REQUEST, value));
            return object;
        });
    }

    /** Asks for a run, and returns its id. */
    private String started() {
        requestRun(scene.now().toString());
        look();
        look();
        return String.valueOf(status().get("run"));
    }

    private int runs() {
        return scene.client().get("/api/v1/runs?service=" + service).json().get("items").size();
    }

    /** Returns the table that {@code kubectl get capacitytests} prints. */
    private static String table() {
        HttpClient client = admin.getHttpClient();
        return client.sendAsync(client.newHttpRequestBuilder()
                .uri(admin.getMasterUrl() + "apis/redliner.io/v1/namespaces/shop/capacitytests")
                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").build(), String.class).join().body();
    }

    @Test
    void an_object_becomes_a_plan_a_run_and_a_capacity_and_is_not_run_again() {
        own("shop");
        load(capacityTest("shop")).create();
        look();
        assertThat(condition("Accepted")).as(String.valueOf(problems())).isEqualTo("True Accepted");
        assertThat(status()).containsEntry("phase", "NotRun");
        assertThat(object().get().getMetadata().getFinalizers()).contains(CapacityTest.FINALIZER);
        assertThat(scene.client().get("/api/v1/plans/shop." + name).json().get("source").asString())
                .isEqualTo("kubernetes");
        assertThat(scene.client().delete("/api/v1/plans/shop." + name).status()).isEqualTo(409);

        String run = started();
        assertThat(condition("Running")).startsWith("True");
        look();
        scene.awaitPhase(run, "Finished");
        look();

        assertThat(status()).containsEntry("phase", "Finished").containsKey("runRequest");
        assertThat(table()).contains("\"Phase\"", "\"Capacity\"", "\"Interval\"", "\"Doubt\"", "\"395/s\"");
        assertThat(String.valueOf(status().get("capacity"))).contains("text=395/s");
        assertThat(status().get("doubt")).isNotNull();
        assertThat(condition("Measured")).isEqualTo("True CapacityFound");
        assertThat(events()).containsExactly("RunEnded", "RunStarted");

        // A controller that starts anew finds the same, even if the status was lost.
        object().subresource("status").edit(object -> {
            object.setAdditionalProperty("status", Map.of());
            return object;
        });
        look();
        look();
        assertThat(runs()).isEqualTo(1);
        assertThat(status()).containsKey("runRequest");
        assertThat(events()).containsExactly("RunEnded", "RunStarted");

        scene.awaitPhase(started(), "Finished");
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void an_unknown_field_is_refused_by_the_api_server() {
        String mistaken = capacityTest("shop").replace("maxShare:", "maxShares:");

        assertThatThrownBy(() -> load(mistaken).fieldValidation(FieldValidateable.Validation.STRICT).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("unknown field \"spec.limits.maxShares\"");
        assertThatThrownBy(() -> load(capacityTest("shop").replace("sla:", "slas:")).create())
                .hasMessageContaining("spec.sla: Required value");
    }

    @Test
    void what_only_the_controller_knows_to_be_wrong_is_in_the_status_and_in_one_event() {
        own("shop");
        load(capacityTest("shop").replace("latency.p99", "latency.p990")).create();

        look();
        look();

        assertThat(condition("Accepted")).isEqualTo("False Invalid");
        assertThat(status()).containsEntry("phase", "Refused");
        assertThat(events()).containsExactly("Refused");
    }

    @Test
    void a_namespace_does_not_test_what_another_owns() {
        own("search");
        load(capacityTest("shop")).create();
        requestRun(scene.now().toString());

        look();

        assertThat(condition("Accepted")).isEqualTo("False NotOwner");
        assertThat(runs()).isZero();
        own("shop");
        look();
        assertThat(condition("Accepted")).as("the older claim holds").isEqualTo("False NotOwner");
    }

    @Test
    void deleting_an_object_stops_its_run_and_the_object_stays_until_traffic_is_natural() {
        plane.holding = true;
        own("shop");
        load(capacityTest("shop")).create();
        String run = started();
        scene.awaitPhase(run, "Ramping");

        object().delete();
        look();
        assertThat(object().get()).isNotNull();
        scene.awaitPhase(run, "Finished");
        look();
        assertThat(scene.client().get("/api/v1/plans/shop." + name).status()).isEqualTo(404);
        look();

        assertThat(object().get()).isNull();
        assertThat(plane.natural()).isTrue();
        assertThat(scene.run(run).get("outcome").asString()).isEqualTo("ABORTED");
    }

    @Test
    void a_namespace_without_rights_is_named_and_counts_as_empty_after_five_minutes() {
        own("shop");
        load(capacityTest("shop")).create();
        look();
        var bindings = admin.genericKubernetesResources("rbac.authorization.k8s.io/v1", "ClusterRoleBinding");
        Resource<GenericKubernetesResource> rights = bindings.withName("redliner-redliner-controller");
        GenericKubernetesResource binding = rights.get();
        rights.delete();
        try {
            await().until(() -> {
                look();
                return problems().containsKey("shop");
            });
            assertThat(problems().get("shop")).contains("give it the ClusterRole of the chart");
            assertThat(scene.client().get("/actuator/health").response().body()).contains("DOWN");
            assertThat(scene.client().get("/api/v1/plans/shop." + name).status()).as("the plan stays").isEqualTo(200);
            scene.pass(NamespaceReader.LOST_AFTER);
            look();
            assertThat(scene.client().get("/api/v1/plans/shop." + name).status()).isEqualTo(404);
        } finally {
            binding.getMetadata().setResourceVersion(null);
            bindings.resource(binding).create();
        }
        await().until(() -> {
            look();
            return !problems().containsKey("shop");
        });
        assertThat(scene.client().get("/api/v1/plans/shop." + name).status()).isEqualTo(200);
    }

    @Test
    void an_api_server_that_was_away_gets_the_status_later_and_no_run_is_started_twice() throws Exception {
        own("shop");
        load(capacityTest("shop")).create();
        String run = started();
        server.stop();
        try {
            look();
            assertThat(problems()).containsKeys("shop", "search");
            scene.awaitPhase(run, "Finished");
            look();
            assertThat(scene.client().get("/api/v1/plans/shop." + name).status()).as("the plan stays").isEqualTo(200);
        } finally {
            server.startAgain();
        }
        look();
        look();

        assertThat(status()).containsEntry("phase", "Finished").containsEntry("run", run);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void every_set_of_values_is_valid_on_the_api_server() throws Exception {
        try (var files = Files.list(CHART.resolve("ci"))) {
            for (Path values : files.toList()) {
                helm("install", "dry", CHART.toString(), "-f", values.toString(),
                        "--dry-run=server", "--set",
                        "prometheusRule.enabled=false,serviceMonitor.enabled=false,grafanaDashboards.enabled=false");
            }
        }
    }
}
