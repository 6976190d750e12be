// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.context.ConfigurableApplicationContext;

@SequentialTests
@ResourceLock(GuardedScene.LOCK)
class RateLimiterTest {

    private Duration now = Duration.ZERO;

    private final RateLimiter limits = new RateLimiter(60, new TimeMeter() {

        @Override
        public long currentTimeNanos() {
            return now.toNanos();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    });

    @Test
    void a_burst_of_a_minute_passes_and_then_one_a_second() {
        for (int i = 0; i < 60; i++) {
            assertThat(limits.take("ada")).isEmpty();
        }
        assertThat(limits.take("ada")).hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofMillis(900),
                Duration.ofSeconds(1)));
        assertThat(limits.exhausted("ada")).isPresent();
        assertThat(limits.take("bob")).as("somebody else").isEmpty();

        now = now.plusSeconds(1);
        assertThat(limits.exhausted("ada")).isEmpty();
        assertThat(limits.take("ada")).isEmpty();
        assertThat(limits.take("ada")).isPresent();

        now = now.plusSeconds(3600);
        for (int i = 0; i < 60; i++) {
            assertThat(limits.take("ada")).isEmpty();
        }
        assertThat(limits.take("ada")).isPresent();
    }

    @Test
    void a_caller_that_asks_too_often_learns_when_to_retry_and_can_still_abort() {
        try (ConfigurableApplicationContext context = GuardedScene.shared().scene
                .startController(Map.of("redliner.controller.access.requests-per-minute", 3))) {
            for (int i = 0; i < 3; i++) {
                assertThat(Scene.client(context).get("/api/v1/runs").status()).isEqualTo(200);
            }
            Answer answer = Scene.client(context).get("/api/v1/runs");
            assertThat(answer.status()).isEqualTo(429);
            assertThat(GuardedScene.type(answer)).isEqualTo("too-many-requests");
            assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 20);
            assertThat(Scene.client(context).post("/api/v1/runs/none:abort", "{\"reason\": \"now\"}").status())
                    .isEqualTo(404);
        }
    }

    @Test
    void too_many_failed_sign_ins_are_refused_and_hold_up_nobody_else() {
        GuardedScene guarded = GuardedScene.shared();
        String known = guarded.token(guarded.newName(), Role.VIEWER);
        String unknown = guarded.token(guarded.newName(), Role.VIEWER);
        try (ConfigurableApplicationContext context = guarded.scene.startController(Map.of(
                "redliner.controller.access.mode", "authenticated",
                "redliner.controller.access.failures-per-minute", 3))) {
            assertThat(as(context, known).status()).isEqualTo(200);
            for (int i = 0; i < 3; i++) {
                assertThat(as(context, "rl_wrong").status()).isEqualTo(401);
            }
            Answer answer = as(context, "rl_wrong");
            assertThat(answer.status()).isEqualTo(429);
            assertThat(GuardedScene.type(answer)).isEqualTo("too-many-requests");
            assertThat(answer.header("Retry-After")).isNotEmpty();
            assertThat(as(context, unknown).status()).as("not asked any more").isEqualTo(429);
            assertThat(as(context, known).status()).isEqualTo(200);
        }
    }

    private static Answer as(ConfigurableApplicationContext context, String token) {
        return Scene.client(context).get("/api/v1/runs", "Authorization", "Bearer " + token);
    }
}
