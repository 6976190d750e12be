// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads and changes RedLiner's objects of an API server. Methods throw {@link KubernetesClientException} when it refuses. */
final class KubernetesObjects {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesObjects.class);

    private static final String GROUP = "redliner.io";

    private static final String VERSION = "v1";

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private static final int MAX_EVENT_NAME = 200;

    /** The most instances of a ScaledObject that names no number. */
    private static final int MAX_OF_SCALED_OBJECT = 100;

    /** A status may lack fields, and have those of another version. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final ResourceDefinitionContext TESTS = kind(GROUP, VERSION, "CapacityTest", "capacitytests");

    private static final ResourceDefinitionContext SERVICES = kind(GROUP, VERSION, "RedlinerService",
            "redlinerservices");

    static final ResourceDefinitionContext POD_AUTOSCALERS = kind("autoscaling", "v2", "HorizontalPodAutoscaler",
            "horizontalpodautoscalers");

    static final ResourceDefinitionContext SCALED_OBJECTS = kind("keda.sh", "v1alpha1", "ScaledObject",
            "scaledobjects");

    private final KubernetesClient client;

    KubernetesObjects(KubernetesClient client) {
        this.client = client;
    }

    private static ResourceDefinitionContext kind(String group, String version, String kind, String plural) {
        return new ResourceDefinitionContext.Builder().withGroup(group).withVersion(version).withKind(kind)
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
        return in(namespace, kind).list().getItems();
    }

    private FilterWatchListDeletable<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> in(
            String namespace, ResourceDefinitionContext kind) {
        var all = client.genericKubernetesResources(kind);
        return namespace.isEmpty() ? all.inAnyNamespace() : all.inNamespace(namespace);
    }

    /**
     * Returns the objects of a namespace that scale one of these services, and all that are held.
     *
     * @param namespace empty: all
     * @param problems gets the held objects that do not say any more what they were before
     */
    List<Autoscaler> autoscalers(String namespace, Set<String> services, Map<String, String> problems) {
        Map<Autoscaler.Key, Autoscaler> found = new LinkedHashMap<>();
        for (Autoscaler.Kind kind : Autoscaler.Kind.values()) {
            ResourceDefinitionContext definition = definition(kind);
            Stream<GenericKubernetesResource> held = labelled(definition, namespace, Autoscaler.HELD);
            Stream<GenericKubernetesResource> scaling = services.isEmpty()
                    ? Stream.empty()
                    : labelled(definition, namespace, Autoscaler.SERVICE).filter(
                            object -> services.contains(object.getMetadata().getLabels().get(Autoscaler.SERVICE)));
            Stream.concat(held, scaling).filter(object -> object.getMetadata().getOwnerReferences().stream()
                    .noneMatch(owner -> owner.getKind().equals(Autoscaler.Kind.SCALED_OBJECT.kind())))
                    .forEach(object -> {
                        Autoscaler.Key key = new Autoscaler.Key(kind, object.getMetadata().getNamespace(),
                                object.getMetadata().getName());
                        autoscaler(key, object).ifPresentOrElse(read -> found.put(key, read),
                                () -> problems.put(key.toString(), "its annotation " + Autoscaler.HELD
                                        + " cannot be read: set " + kind.minField()
                                        + " to what it was, then remove the label and the annotation of this name"));
                    });
        }
        return List.copyOf(found.values());
    }

    private static ResourceDefinitionContext definition(Autoscaler.Kind kind) {
        return switch (kind) {
            case HORIZONTAL_POD_AUTOSCALER -> POD_AUTOSCALERS;
            case SCALED_OBJECT -> SCALED_OBJECTS;
        };
    }

    private Stream<GenericKubernetesResource> labelled(ResourceDefinitionContext kind, String namespace,
            String label) {
        try {
            return in(namespace, kind).withLabel(label).list().getItems().stream();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Stream.empty();
            }
            throw refused;
        }
    }

    /** Returns the object; empty when it is held and does not say what it was. */
    private Optional<Autoscaler> autoscaler(Autoscaler.Key key, GenericKubernetesResource object) {
        ObjectMeta metadata = object.getMetadata();
        String held = metadata.getAnnotations() == null ? null : metadata.getAnnotations().get(Autoscaler.HELD);
        Autoscaler.Hold hold;
        try {
            hold = held == null ? null : JSON.readValue(held, Autoscaler.Hold.class);
        } catch (JacksonException unreadable) {
            return Optional.empty();
        }
        String service = hold == null ? metadata.getLabels().get(Autoscaler.SERVICE) : hold.service();
        return service == null ? Optional.empty() : Optional.of(autoscaler(key, object, service, hold));
    }

    private Autoscaler autoscaler(Autoscaler.Key key, GenericKubernetesResource object, String service,
            Autoscaler.@Nullable Hold hold) {
        ObjectMeta metadata = object.getMetadata();
        return switch (key.kind()) {
            case HORIZONTAL_POD_AUTOSCALER -> new Autoscaler(key, service, metadata.getResourceVersion(),
                    object.get("spec", "minReplicas"), integer(object.get("spec", "maxReplicas")),
                    integer(object.get("status", "currentReplicas")), hold);
            case SCALED_OBJECT -> new Autoscaler(key, service, metadata.getResourceVersion(),
                    object.get("spec", "minReplicaCount"),
                    Objects.requireNonNullElse(object.get("spec", "maxReplicaCount"), MAX_OF_SCALED_OBJECT),
                    replicas(key.namespace(), object.get("status", "hpaName")), hold);
        };
    }

    /** Returns the instances that KEDA's HorizontalPodAutoscaler sees; 0 when that is not known. */
    private int replicas(String namespace, @Nullable String name) {
        GenericKubernetesResource made = name == null
                ? null
                : object(POD_AUTOSCALERS, namespace, name).get();
        return made == null ? 0 : integer(made.get("status", "currentReplicas"));
    }

    private static int integer(@Nullable Integer number) {
        return Objects.requireNonNullElse(number, 0);
    }

    /** Changes an autoscaler, unless somebody changed it since it was read. */
    void write(Autoscaler autoscaler, Autoscaler.Change change) {
        Autoscaler.Key key = autoscaler.key();
        ObjectNode patch = JSON.createObjectNode();
        ObjectNode metadata = patch.putObject("metadata").put("resourceVersion", autoscaler.resourceVersion());
        metadata.putObject("labels").put(Autoscaler.HELD, change.hold() == null ? null : "true");
        metadata.putObject("annotations").put(Autoscaler.HELD,
                change.hold() == null ? null : JSON.writeValueAsString(change.hold()));
        patch.putObject("spec").put(key.kind().minField(), change.min());
        object(definition(key.kind()), key.namespace(), key.name()).patch(MERGE, patch.toString());
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
