// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.PlanRepository;
import io.redliner.controller.service.persistence.StoredPlan;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A plan that is left of an object, on a controller that follows none. */
class PlanOfObjectTest {

    private final Scene scene = Scene.shared();

    private final String service = scene.newService();

    @Test
    void is_deleted_by_the_api() {
        scene.client().post("/api/v1/plans", Scene.plan(service, service));
        PlanRepository plans = scene.context().getBean(PlanRepository.class);
        StoredPlan stored = plans.find(service).orElseThrow();
        plans.delete(service);
        plans.create(service, new PlanRepository.Content(stored.content(), stored.hash(), null), scene.now(),
                new PlanRepository.Origin(StoredPlan.Source.KUBERNETES, "shop/" + service));

        assertThat(scene.client().delete("/api/v1/plans/" + service).status()).isEqualTo(204);
        assertThat(plans.find(service)).isEqualTo(Optional.empty());
    }
}
