// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.redliner.controller.scene.ControllerProcess;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Autoscalers on a real API server, which no autoscaler's controller follows: the tests write their status. */
@Tag("contract")
@SequentialTests
class HeldAutoscalersTest extends KubernetesClusterFixture {

    /** The object that SuggestCommandTest expects, too. */
    private static final Path SUGGESTED = Path.of("..", "..", "cli", "src", "test", "resources", "suggested-hpa.yaml");

    private static final String SCALED_OBJECTS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: scaledobjects.keda.sh}
            spec:
              group: keda.sh
              scope: Namespaced
              names: {kind: ScaledObject, listKind: ScaledObjectList, plural: scaledobjects, singular: scaledobject}
              versions:
                - name: v1alpha1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private static NonNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> ofShop(
            ResourceDefinitionContext kind) {
        return admin.genericKubernetesResources(kind).inNamespace("shop");
    }

    /** Makes what {@code redliner suggest hpa} writes. */
    private static Resource<GenericKubernetesResource> hpa(String name, Map<String, String> labels, int replicas)
            throws Exception {
        var hpas = ofShop(KubernetesObjects.POD_AUTOSCALERS);
        GenericKubernetesResource object = hpas.load(Files.newInputStream(SUGGESTED)).item();
        object.getMetadata().setName(name);
        object.getMetadata().setLabels(labels);
        hpas.resource(object).fieldValidation(FieldValidateable.Validation.STRICT).create();
        status(hpas.withName(name), "{\"currentReplicas\": " + replicas + ", \"desiredReplicas\": " + replicas + "}");
        return hpas.withName(name);
    }

    private static void status(Resource<GenericKubernetesResource> object, String status) {
        object.subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": " + status + "}");
    }

    private static Integer min(Resource<GenericKubernetesResource> object, String field) {
        return object.get().get("spec", field);
    }

    /** Starts a run that stays where it is. */
    private static String held(FakeDataPlane plane) {
        plane.holding = true;
        String run = scene.start(plane.service());
        scene.awaitPhase(run, "Ramping");
        return run;
    }

    private static void abort(String run) {
        assertThat(scene.client().post("/api/v1/runs/" + run + ":abort", "{\"reason\": \"enough\"}").status())
                .isEqualTo(202);
        scene.awaitPhase(run, "Finished");
    }

    @Test
    void a_run_holds_what_scales_its_service_and_lets_it_go() throws Exception {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        Resource<GenericKubernetesResource> scaling = hpa("held", Map.of(Autoscaler.SERVICE, service), 5);
        Resource<GenericKubernetesResource> other = hpa("other", Map.of(Autoscaler.SERVICE, "other"), 5);
        look();
        assertThat(min(scaling, "minReplicas")).isEqualTo(2);

        String run = held(plane);
        look();
        assertThat(min(scaling, "minReplicas")).as(String.valueOf(problems())).isEqualTo(5);
        assertThat(min(scaling, "maxReplicas")).as("users get more when they need it").isEqualTo(20);
        assertThat(min(other, "minReplicas")).isEqualTo(2);
        scaling.edit(object -> {
            object.getMetadata().getLabels().remove(Autoscaler.SERVICE);
            return object;
        });
        look();
        assertThat(min(scaling, "minReplicas")).isEqualTo(5);

        abort(run);
        look();
        assertThat(min(scaling, "minReplicas")).as(String.valueOf(problems())).isEqualTo(2);
        assertThat(scaling.get().getMetadata().getLabels()).doesNotContainKey(Autoscaler.HELD);
        assertThat(scaling.get().getMetadata().getAnnotations()).doesNotContainKey(Autoscaler.HELD);
    }

    @Test
    void a_scaled_object_is_held_and_not_what_keda_makes_of_it() throws Exception {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        admin.apiextensions().v1().customResourceDefinitions()
                .load(new ByteArrayInputStream(SCALED_OBJECTS.getBytes(StandardCharsets.UTF_8))).serverSideApply();
        var scaledObjects = ofShop(KubernetesObjects.SCALED_OBJECTS);
        await().ignoreExceptions().until(() -> scaledObjects.list().getItems().isEmpty());
        scaledObjects.load(new ByteArrayInputStream("""
                apiVersion: keda.sh/v1alpha1
                kind: ScaledObject
                metadata: {name: cart, labels: {redliner.io/service: %s}}
                spec: {scaleTargetRef: {name: cart}, triggers: []}
                """.formatted(service).getBytes(StandardCharsets.UTF_8))).create();
        Resource<GenericKubernetesResource> scaling = scaledObjects.withName("cart");
        Resource<GenericKubernetesResource> made = hpa("keda-hpa-cart", Map.of(Autoscaler.SERVICE, service), 4);
        made.patch(PatchContext.of(PatchType.JSON_MERGE),
                """
                        {"metadata": {"ownerReferences": [{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "cart",
                         "uid": "%s", "controller": true}]}}"""
                        .formatted(scaling.get().getMetadata().getUid()));

        String run = held(plane);
        look();
        assertThat(min(scaling, "minReplicaCount")).as("its replicas are not known").isNull();
        assertThat(problems().get("ScaledObject shop/cart")).contains("is not known");
        status(scaling, "{\"hpaName\": \"keda-hpa-cart\"}");
        look();
        assertThat(min(scaling, "minReplicaCount")).as(String.valueOf(problems())).isEqualTo(4);
        assertThat(min(made, "minReplicas")).isEqualTo(2);
        assertThat(problems()).isEmpty();

        abort(run);
        look();
        assertThat(min(scaling, "minReplicaCount")).as("none was set before").isNull();
    }

    @Test
    void a_hold_that_nobody_can_read_any_more_is_named_with_what_to_do() throws Exception {
        hpa("broken", Map.of(Autoscaler.HELD, "true"), 5);

        look();

        assertThat(problems().get("HorizontalPodAutoscaler shop/broken"))
                .contains("set minReplicas to what it was, then remove the label and the annotation");
        ofShop(KubernetesObjects.POD_AUTOSCALERS).withName("broken").delete();
    }

    @Test
    void what_a_killed_controller_held_another_one_lets_go() throws Exception {
        Map<String, Object> settings = following("500ms");
        try (Scene real = Scene.real(Map.of()); ControllerProcess killed = real.startProcess(settings)) {
            String service = real.newService();
            FakeDataPlane plane = real.plane(service);
            plane.holding = true;
            Resource<GenericKubernetesResource> scaling = hpa("killed", Map.of(Autoscaler.SERVICE, service), 5);
            await().until(() -> killed.client().post("/api/v1/runs?dryRun=true", Scene.plan(service, service))
                    .status() == 200);
            String run = killed.client().post("/api/v1/runs", Scene.plan(service, service)).json().get("id").asString();
            await().until(() -> min(scaling, "minReplicas") == 5);
            killed.kill();
            plane.holding = false;
            real.awaitPhase(run, "Finished");

            try (ControllerProcess next = real.startProcess(settings)) {
                assertThat(min(scaling, "minReplicas")).isEqualTo(5);
                await().atMost(Duration.ofMinutes(1)).until(() -> min(scaling, "minReplicas") == 2);
            }
        }
    }
}
