// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.StepPlan;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.testkit.PlanText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class StepPlanResolverTest {

    private static final Scene SCENE = Scene.shared();

    private static final Instant NOW = Instant.parse("2026-03-10T03:00:00Z");

    /** Fails whenever it is read. */
    private final CapacityRepository unreachable = new CapacityRepository(
            JdbcClient.create(new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/none")),
            bean(RunJsonMapper.class), bean(UnreadableRows.class));

    private final StepPlanResolver resolver = new StepPlanResolver(unreachable,
            new KnownCapacityResolver(bean(CapacityRepository.class), bean(InstanceFactsRepository.class),
                    new PlanWriter(), () -> NOW),
            bean(RunReadRepository.class), bean(PeakTrafficRepository.class), () -> NOW);

    private static <T> T bean(Class<T> type) {
        return SCENE.context().getBean(type);
    }

    private @Nullable StepPlan steps(String... profile) throws InvalidDocumentException {
        Plan plan = bean(PlanReader.class).read(PlanText.of("shop", "a:1", String.join("\n  ", profile),
                PlanText.sla("200ms"), "limits: {maxShare: 60%}"));
        return resolver.steps(plan, "a:1", new Share(250_000));
    }

    @Test
    void only_a_load_that_is_a_part_of_the_last_capacity_reads_that_capacity() throws InvalidDocumentException {
        assertThat(steps()).isNull();
        assertThat(steps("profile: load", "load: {share: 40%}")).isInstanceOf(StepPlan.Hold.class);
        assertThatThrownBy(() -> steps("profile: load", "load: {capacity: 80%}"))
                .isInstanceOf(DataAccessException.class);
    }

    @Test
    void a_recheck_reads_the_comparable_capacities_alone() {
        assertThatThrownBy(() -> steps("profile: recheck")).isInstanceOf(RunRejectedException.class)
                .hasMessageContaining("nothing to compare with");
    }
}
