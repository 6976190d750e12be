// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Scene;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class WindowSumsJobTest {

    /** The length of the shortest stretch: 0.8 s of windows of 100 ms. */
    private static final int WINDOWS = 8;

    private final Scene scene = Scene.shared();

    private final String service = scene.newService();

    private final JdbcClient jdbc = scene.context().getBean(JdbcClient.class);

    private List<Integer> stretches(String run, int level) {
        return jdbc.sql("SELECT windows FROM window_rollup"
                + " WHERE run_id = :run AND level = :level ORDER BY bin")
                .param("run", run)
                .param("level", level)
                .query(Integer.class)
                .list();
    }

    @Test
    void windows_of_a_run_are_summed_up_while_it_lasts_and_up_to_its_end() {
        scene.plane(service);
        String run = scene.startPlan(Scene.plan(service, service) + "  profile: smoke\n  smoke: {hold: 20s}\n");

        scene.until(() -> !stretches(run, 1).isEmpty());
        assertThat(scene.run(run).get("phase").asString()).isNotEqualTo("Finished");
        scene.awaitPhase(run, "Finished");
        int windows = jdbc.sql("SELECT count(*) FROM judged_window WHERE run_id = :run").param("run", run)
                .query(Integer.class).single();
        assertThat(windows).isGreaterThan(3 * WINDOWS);
        scene.until(() -> sum(stretches(run, 1)) >= windows - WINDOWS);

        assertThat(stretches(run, 1)).allMatch(summed -> summed <= WINDOWS);
        scene.until(() -> sum(stretches(run, 2)) >= windows - 8 * WINDOWS);
        assertThat(sum(stretches(run, 2))).isLessThanOrEqualTo(windows);
    }

    private static int sum(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).sum();
    }
}
