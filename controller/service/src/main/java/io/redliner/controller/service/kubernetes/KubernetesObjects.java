// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.redliner.controller.plan.Sha256;
import io.redliner.controller.service.kubernetes.CapacityTestDecider.ObjectEvent;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and changes RedLiner's objects of an API server. Methods throw {@link KubernetesClientException} when it refuses. */
final class KubernetesObjects {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesObjects.class);

    private static final String GROUP = "redliner.io";

    private static final String VERSION = "v1";

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private static final int MAX_EVENT_NAME = 200;

    /** A status may lack fields, and have those of another version. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final ResourceDefinitionContext TESTS = kind("CapacityTest", "capacitytests");

    private static final ResourceDefinitionContext SERVICES = kind("RedlinerService", "redlinerservices");

    private final KubernetesClient client;

    KubernetesObjects(KubernetesClient client) {
        this.client = client;
    }

    private static ResourceDefinitionContext kind(String kind, String plural) {
        return new ResourceDefinitionContext.Builder().withGroup(GROUP).withVersion(VERSION).withKind(kind)
                .withPlural(plural).withNamespaced(true).build();
    }

    /**
     * Returns the RedlinerServices of a namespace.
     *
     * @param namespace empty: all
     * @param problems gets the objects whose status cannot be read: it counts as none, and is written anew
     */
    List<ServiceClaim> services(String namespace, Map<String, String> problems) {
        return list(SERVICES, namespace).stream().map(object -> claim(object, problems)).toList();
    }

    static ServiceClaim claim(GenericKubernetesResource object, Map<String, String> problems) {
        ObjectMeta metadata = object.getMetadata();
        Object service = part(object, "spec").get("service");
        return new ServiceClaim(metadata.getNamespace(), metadata.getName(),
                service == null ? metadata.getName() : service.toString(),
                Instant.parse(metadata.getCreationTimestamp()), generation(metadata),
                status(object, problems).conditions());
    }

    /**
     * Returns the CapacityTests of a namespace.
     *
     * @param namespace empty: all
     * @param problems gets the objects whose status cannot be read: it counts as none, and is written anew
     */
    List<CapacityTest> tests(String namespace, Map<String, String> problems) {
        return list(TESTS, namespace).stream().map(object -> test(object, problems)).toList();
    }

    static CapacityTest test(GenericKubernetesResource object, Map<String, String> problems) {
        ObjectMeta metadata = object.getMetadata();
        return new CapacityTest(new CapacityTest.Key(metadata.getNamespace(), metadata.getName()), metadata.getUid(),
                generation(metadata), metadata.getDeletionTimestamp() != null,
                metadata.getFinalizers().contains(CapacityTest.FINALIZER),
                metadata.getAnnotations() == null ? null : metadata.getAnnotations().get(CapacityTest.RUN_REQUEST),
                part(object, "spec"), status(object, problems));
    }

    /** A user may write a status that is none; that must not hide its object, or others. */
    private static CapacityTestStatus status(GenericKubernetesResource object, Map<String, String> problems) {
        try {
            CapacityTestStatus status = JSON.convertValue(part(object, "status"), CapacityTestStatus.class);
            status.conditions().forEach(Condition::requireComplete);
            return status;
        } catch (RuntimeException unreadable) {
            problems.put(object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                    + object.getMetadata().getName(),
                    "its status cannot be read, and is written anew: "
                            + String.valueOf(unreadable.getMessage()).lines().findFirst().orElse(""));
            return CapacityTestStatus.NONE;
        }
    }

    private List<GenericKubernetesResource> list(ResourceDefinitionContext kind, String namespace) {
        return namespace.isEmpty()
                ? client.genericKubernetesResources(kind).inAnyNamespace().list().getItems()
                : client.genericKubernetesResources(kind).inNamespace(namespace).list().getItems();
    }

    private static long generation(ObjectMeta metadata) {
        return Objects.requireNonNullElse(metadata.getGeneration(), 0L);
    }

    private static Map<String, Object> part(GenericKubernetesResource object, String name) {
        Object part = object.getAdditionalProperties().get(name);
        return part instanceof Map ? JSON.convertValue(part, new TypeReference<Map<String, Object>>() {}) : Map.of();
    }

    private Resource<GenericKubernetesResource> object(ResourceDefinitionContext kind, String namespace, String name) {
        return client.genericKubernetesResources(kind).inNamespace(namespace).withName(name);
    }

    /** Adds or removes RedLiner's finalizer, unless somebody changed the object since it was read. */
    void setFinalizer(CapacityTest test, boolean present) {
        object(TESTS, test.key().namespace(), test.key().name()).edit(object -> {
            List<String> finalizers = new ArrayList<>(object.getMetadata().getFinalizers());
            finalizers.remove(CapacityTest.FINALIZER);
            if (present) {
                finalizers.add(CapacityTest.FINALIZER);
            }
            object.getMetadata().setFinalizers(finalizers);
            return object;
        });
    }

    /** Writes the status of a CapacityTest. */
    void writeStatus(CapacityTest test, CapacityTestStatus status) {
        object(TESTS, test.key().namespace(), test.key().name()).subresource("status")
                .patch(MERGE, JSON.writeValueAsString(Map.of("status", status)));
    }

    /** Writes the status of a RedlinerService. */
    void writeStatus(ServiceClaim claim, List<Condition> conditions) {
        object(SERVICES, claim.namespace(), claim.name()).subresource("status")
                .patch(MERGE, JSON.writeValueAsString(Map.of("status", Map.of("conditions", conditions))));
    }

    /** Writes an event, unless it is there already. A refusal is logged: the status says the same. */
    void write(CapacityTest test, ObjectEvent event, Instant now) {
        CapacityTest.Key key = test.key();
        String object = key.name().substring(0, Math.min(MAX_EVENT_NAME, key.name().length()))
                .replaceFirst("[.-]+$", "");
        String at = now.truncatedTo(ChronoUnit.SECONDS).toString();
        try {
            client.v1().events().inNamespace(key.namespace()).resource(new EventBuilder()
                    .withNewMetadata()
                    .withName(object + "." + Sha256.hex(test.uid() + event.reason() + event.key()).substring(0, 16))
                    .withNamespace(key.namespace())
                    .endMetadata()
                    .withNewInvolvedObject()
                    .withApiVersion(GROUP + "/" + VERSION)
                    .withKind(TESTS.getKind())
                    .withNamespace(key.namespace())
                    .withName(key.name())
                    .withUid(test.uid())
                    .endInvolvedObject()
                    .withType(event.warning() ? "Warning" : "Normal")
                    .withReason(event.reason())
                    .withMessage(event.message())
                    .withFirstTimestamp(at)
                    .withLastTimestamp(at)
                    .withCount(1)
                    .withNewSource()
                    .withComponent("redliner-controller")
                    .endSource()
                    .build()).create();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                LOG.warn("event {} of CapacityTest {} could not be written: {}", event.reason(), key,
                        refused.getMessage());
            }
        }
    }
}
