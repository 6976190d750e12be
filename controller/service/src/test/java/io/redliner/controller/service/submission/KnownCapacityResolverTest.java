// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.core.run.SearchConclusion.ValidityCheck;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.testkit.PlanText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KnownCapacityResolverTest {

    private static final Scene SCENE = Scene.shared();

    private static final Instant NOW = Instant.parse("2026-03-10T03:00:00Z");

    private static final SearchConclusion SURE = conclusion(Validity.OK);

    private final String service = SCENE.newService();

    private final Filled filled = new Filled(SCENE);

    private final PlanReader reader = SCENE.context().getBean(PlanReader.class);

    private final PlanWriter writer = new PlanWriter();

    private final InstanceFactsRepository facts = SCENE.context().getBean(InstanceFactsRepository.class);

    private final KnownCapacityResolver resolver = new KnownCapacityResolver(
            SCENE.context().getBean(CapacityRepository.class), facts, writer, () -> NOW);

    private static final InstanceFacts V1 = new InstanceFacts("v1", null, null);

    KnownCapacityResolverTest() {
        facts.put(service, "a:1", V1, NOW);
    }

    private static SearchConclusion conclusion(Validity validity) {
        return new SearchConclusion(List.of(),
                List.of(new ValidityCheck("host", validity, null, null, "ratio", "the host was watched")));
    }

    private Plan plan(String limit, String... more) {
        try {
            return reader.read(PlanText.named("nightly", service, "a:1", PlanText.sla(limit),
                    String.join("\n  ", more)));
        } catch (InvalidDocumentException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void found(Plan plan, String instance, Duration ago, double capacity, @Nullable SearchConclusion conclusion,
            @Nullable KnownCapacity combined, InstanceFacts what) {
        Instant at = NOW.minus(ago);
        String run = filled.run(service, instance, at, writer.canonical(plan).json());
        filled.capacity(new CapacityRecord(run, service, instance, capacity, capacity - 5, capacity + 5, false,
                "latency", null, null, null, null, 0, Duration.ofMinutes(5), "nightly", "hash", at, conclusion,
                combined), what.version(), what.hardware());
    }

    private void found(Duration ago, double capacity) {
        found(plan("200ms"), "a:1", ago, capacity, SURE, null, V1);
    }

    private @Nullable KnownCapacity known(Plan plan) {
        return resolver.known(plan, "a:1");
    }

    @Test
    void the_newest_capacity_is_known_alone_or_as_it_was_combined() {
        assertThat(known(plan("200ms"))).isNull();

        found(Duration.ofDays(2), 100);
        assertThat(known(plan("200ms"))).isEqualTo(new KnownCapacity(100, 95, 105, 1));

        KnownCapacity combined = new KnownCapacity(101, 98, 104, 2);
        found(plan("200ms"), "a:1", Duration.ofDays(1), 102, SURE, combined, V1);
        assertThat(known(plan("200ms"))).isEqualTo(combined);
    }

    @Test
    void a_capacity_that_is_not_sure_is_passed_over() {
        found(Duration.ofDays(3), 100);
        found(plan("200ms"), "a:1", Duration.ofDays(2), 50, conclusion(Validity.DOUBTFUL), null, V1);
        found(plan("200ms"), "a:1", Duration.ofDays(1), 50, null, null, V1);

        assertThat(known(plan("200ms"))).isEqualTo(new KnownCapacity(100, 95, 105, 1));
    }

    @Test
    void another_sla_other_traffic_and_another_time_of_day_are_another_capacity() {
        found(Duration.ofDays(1), 100);

        assertThat(known(plan("100ms"))).isNull();
        assertThat(known(plan("200ms", "redirect: {mode: hash, attribute: {cookie: uid}}")))
                .isNull();
        assertThat(known(plan("200ms", "limits: {maxDuration: 50m}"))).isNotNull();
        assertThat(new KnownCapacityResolver(SCENE.context().getBean(CapacityRepository.class), facts, writer,
                () -> NOW.plus(Duration.ofHours(4))).known(plan("200ms"), "a:1")).isNull();
    }

    @Test
    void a_capacity_of_long_ago_is_forgotten() {
        found(Duration.ofDays(31), 100);

        assertThat(known(plan("200ms"))).isNull();
    }

    @Test
    void instances_of_one_hardware_and_version_share_what_is_known() {
        facts.put(service, "a:1", new InstanceFacts("v2", "large", null), NOW);
        found(plan("200ms"), "b:1", Duration.ofDays(4), 100, SURE, null, new InstanceFacts("v2", "large", "zone"));
        found(plan("200ms"), "b:1", Duration.ofDays(3), 70, SURE, null, new InstanceFacts("v1", "large", null));
        found(plan("200ms"), "b:1", Duration.ofDays(2), 70, SURE, null, new InstanceFacts("v2", "small", null));
        found(plan("200ms"), "a:1", Duration.ofDays(1), 70, SURE, null, V1);

        assertThat(known(plan("200ms"))).isEqualTo(new KnownCapacity(100, 95, 105, 1));
    }

    @Test
    void without_known_hardware_only_the_instance_itself_is_alike() {
        found(plan("200ms"), "b:1", Duration.ofDays(1), 100, SURE, null, V1);

        assertThat(known(plan("200ms"))).isNull();
    }

    @Test
    void an_unknown_version_may_be_another_one_and_builds_on_none() {
        facts.put(service, "a:1", InstanceFacts.NONE, NOW);
        found(plan("200ms"), "a:1", Duration.ofDays(2), 100, SURE, null, InstanceFacts.NONE);

        assertThat(known(plan("200ms"))).isNull();
    }

    @Test
    void a_capacity_without_a_lower_end_is_passed_over() {
        found(Duration.ofDays(2), 100);
        found(Duration.ofDays(1), 5);

        assertThat(known(plan("200ms"))).isEqualTo(new KnownCapacity(100, 95, 105, 1));
    }

    @Test
    void a_test_that_searches_no_capacity_builds_on_none() {
        found(Duration.ofDays(1), 100);

        assertThat(known(plan("200ms", "profile: load", "load: {target: 50, hold: 1m}"))).isNull();
    }
}
