// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.health.contributor.Status;

/** Namespaces that can be read or not, and the holders of services, without a cluster. */
@Execution(ExecutionMode.CONCURRENT)
class NamespaceReaderTest {

    private static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");

    private static final int FORBIDDEN = 403;

    private static final int NO_ANSWER = 0;

    private final NamespaceReader reader = new NamespaceReader(Duration.ofSeconds(2));

    private final Map<String, List<ServiceClaim>> claims = new HashMap<>();

    private final Map<String, Integer> failures = new HashMap<>();

    private final Map<String, String> problems = new HashMap<>();

    private static ServiceClaim claim(String namespace, Instant created) {
        return new ServiceClaim(namespace, "cart", "cart", created, 1, List.of());
    }

    private NamespaceReader.Picture look(Instant now) {
        problems.clear();
        return reader.read(List.of("shop", "search"), namespace -> {
            Integer code = failures.get(namespace);
            if (code != null) {
                throw new KubernetesClientException("no", code, null);
            }
            return new NamespaceReader.Contents(claims.getOrDefault(namespace, List.of()), List.of());
        }, problems, now);
    }

    private static Map<String, ServiceClaim> holders(NamespaceReader.Picture seen) {
        return ServiceClaim.holders(Stream.concat(seen.claims().stream(), seen.kept().stream()).toList(),
                seen.complete(), seen.unread());
    }

    @Test
    void a_namespace_that_is_refused_is_unread_for_five_minutes_and_then_empty() {
        claims.put("shop", List.of(claim("shop", NOW.minusSeconds(60))));
        look(NOW);
        failures.put("shop", FORBIDDEN);

        assertThat(look(NOW.plusSeconds(2)).unread()).containsExactly("shop");
        assertThat(look(NOW.plusSeconds(301)).unread()).containsExactly("shop");
        NamespaceReader.Picture lost = look(NOW.plusSeconds(302));

        assertThat(lost.unread()).isEmpty();
        assertThat(lost.kept()).isEmpty();
        assertThat(problems).containsOnlyKeys("shop");
        failures.clear();
        look(NOW.plusSeconds(304));
        failures.put("shop", FORBIDDEN);
        assertThat(look(NOW.plusSeconds(306)).unread()).as("it begins anew").containsExactly("shop");
    }

    @Test
    void a_namespace_that_cannot_be_read_keeps_its_service() {
        claims.put("shop", List.of(claim("shop", NOW.minusSeconds(60))));
        claims.put("search", List.of(claim("search", NOW)));
        look(NOW);
        failures.put("shop", FORBIDDEN);

        assertThat(holders(look(NOW.plusSeconds(2)))).hasEntrySatisfying("cart",
                holder -> assertThat(holder.namespace()).isEqualTo("shop"));
    }

    @Test
    void a_conflict_stays_while_the_namespace_of_its_holder_cannot_be_read_by_a_controller_that_never_read_it() {
        ServiceClaim shop = claim("shop", NOW.minusSeconds(60));
        ServiceClaim search = claim("search", NOW);
        Map<String, ServiceClaim> held = ServiceClaim.holders(List.of(shop, search), true, Set.of());
        ServiceClaim refused = new ServiceClaim("search", "cart", "cart", NOW, 1,
                search.judged(held, Set.of(), 4, NOW));
        claims.put("search", List.of(refused, claim("search", NOW.plusSeconds(1))));
        failures.put("shop", FORBIDDEN);

        NamespaceReader.Picture seen = look(NOW);

        assertThat(holders(seen)).isEmpty();
        assertThat(refused.judged(Map.of(), seen.unread(), 4, NOW.plusSeconds(9))).isEqualTo(refused.conditions());
        assertThat(holders(look(NOW.plus(NamespaceReader.LOST_AFTER)))).as("its holder counts as gone")
                .containsEntry("cart", refused);
    }

    @Test
    void a_namespace_that_was_never_read_for_want_of_rights_blocks_nobody() {
        claims.put("search", List.of(claim("search", NOW)));
        failures.put("shop", FORBIDDEN);

        assertThat(holders(look(NOW))).containsOnlyKeys("cart");
    }

    @Test
    void an_api_server_that_does_not_answer_is_asked_once() {
        failures.put("shop", NO_ANSWER);

        NamespaceReader.Picture seen = look(NOW);

        assertThat(seen.unread()).containsExactlyInAnyOrder("shop", "search");
        assertThat(seen.complete()).isFalse();
        assertThat(problems.get("search")).contains("did not answer for another namespace");
        assertThat(look(NOW.plus(Duration.ofHours(1))).unread()).hasSize(2);
    }

    @Test
    void the_oldest_claim_holds_a_service_and_none_is_new_while_a_namespace_cannot_be_read() {
        ServiceClaim older = claim("shop", NOW.minusSeconds(60));
        ServiceClaim younger = claim("search", NOW);
        Set<String> none = Set.of();

        Map<String, ServiceClaim> holders = ServiceClaim.holders(List.of(younger, older), true, none);

        assertThat(holders).containsEntry("cart", older);
        List<Condition> accepted = older.judged(holders, none, 4, NOW);
        assertThat(accepted).extracting(Condition::reason).containsExactly("Accepted", "Reported");
        assertThat(younger.judged(holders, none, 0, NOW)).extracting(Condition::reason)
                .containsExactly("Conflict", "NotReported");
        assertThat(ServiceClaim.holders(List.of(younger), false, none)).isEmpty();
        assertThat(younger.judged(Map.of(), none, 4, NOW)).extracting(Condition::reason).contains("NotAllRead");
        assertThat(ServiceClaim.holders(List.of(younger,
                new ServiceClaim("shop", "cart", "cart", NOW, 1, accepted)), false, none)).hasEntrySatisfying("cart",
                        holder -> assertThat(holder.namespace()).isEqualTo("shop"));
    }

    private static GenericKubernetesResource object(Object status) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setKind("CapacityTest");
        object.setMetadata(new ObjectMetaBuilder().withNamespace("shop").withName("weekly").withUid("uid-1")
                .withCreationTimestamp(NOW.toString()).build());
        object.setAdditionalProperty("spec", Map.of("service", "cart"));
        object.setAdditionalProperty("status", status);
        return object;
    }

    @Test
    void a_status_that_cannot_be_read_is_none_and_named() {
        Map<String, Object> condition = Map.of("type", "Accepted", "status", "True", "reason", "x", "message", "x");
        Map<String, Object> mistaken = new HashMap<>(condition);
        mistaken.put("lastTransitionTime", "2026-01-01T00:00:00.0000000001Z");
        for (Object status : List.of(Map.of("conditions", List.of(mistaken)), Map.of("conditions", List.of(condition)),
                Map.of("observedGeneration", "x"), Map.of("capacity", 7))) {
            problems.clear();
            assertThat(KubernetesObjects.test(object(status), problems).status()).isEqualTo(CapacityTestStatus.NONE);
            assertThat(KubernetesObjects.claim(object(status), problems).service()).isEqualTo("cart");
            assertThat(problems).containsOnlyKeys("CapacityTest shop/weekly");
        }
        problems.clear();
        assertThat(KubernetesObjects.test(object(Map.of()), problems).key().plan()).isEqualTo("shop.weekly");
        assertThat(KubernetesObjects.test(object("none"), problems).status()).isEqualTo(CapacityTestStatus.NONE);
        assertThat(problems).isEmpty();
    }

    @Test
    void a_look_that_does_not_end_and_one_with_problems_are_down() {
        Duration current = Duration.ofSeconds(20);
        KubernetesReconciler.Look well = new KubernetesReconciler.Look(NOW, Map.of());
        KubernetesReconciler.Look bad = new KubernetesReconciler.Look(NOW, Map.of("shop", "no"));
        Instant later = NOW.plusSeconds(30);

        assertThat(KubernetesConfiguration.health(well, NOW, current, later).getStatus()).isEqualTo(Status.DOWN);
        assertThat(KubernetesConfiguration.health(bad, later, current, later).getStatus()).isEqualTo(Status.DOWN);
        assertThat(KubernetesConfiguration.health(bad, null, current, later).getStatus())
                .as("another controller looks").isEqualTo(Status.UP);
        assertThat(KubernetesConfiguration.health(well, later, current, later).getStatus()).isEqualTo(Status.UP);
    }
}
