// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.trial.Scene.Xds;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service that nobody tests writes no access logs. */
@Timeout(600)
class AccessLogsTest {

    private static final int REQUESTS = 100;

    /** Its start, the end of its only attempt, and its own end. */
    private static final int RECORDS_PER_REQUEST = 3;

    /** Nobody listens, so some are dropped. */
    private static final Pattern LOGGED = Pattern
            .compile("access_logs\\.grpc_access_log\\.logs_(?:written|dropped): (\\d+)");

    @ParameterizedTest
    @EnumSource(Level.class)
    void are_written_only_while_a_lease_and_what_it_laid_out_last(Level level) {
        try (Scene scene = Scene.start(Setting.of(level, Xds.INCREMENTS).withOwnProxy())) {
            // when nobody tests
            scene.traffic.send(REQUESTS);

            // then
            assertThat(logged(scene)).isZero();

            // when, at the natural share
            try (Tenant tenant = scene.applied(1, 250_000, Redirect.SPLIT)) {
                scene.traffic.send(REQUESTS);

                // then
                await().untilAsserted(() -> assertThat(logged(scene)).isEqualTo(RECORDS_PER_REQUEST * REQUESTS));
                tenant.release();
            }
            scene.await(State.NATURAL);

            // when, for the share has to be read back
            scene.traffic.send(REQUESTS);

            // then
            await().untilAsserted(() -> assertThat(logged(scene)).isEqualTo(2 * RECORDS_PER_REQUEST * REQUESTS));

            // when
            awaitTheEnd(scene, level);
            scene.traffic.send(REQUESTS);
            assertThat(scene.traffic.withHeader("x-redliner-id", "of a client's own")).isNotEmpty();

            // then
            assertThat(logged(scene)).isEqualTo(2 * RECORDS_PER_REQUEST * REQUESTS);
        }
    }

    /** Of the lease, and of what it laid out. */
    private static void awaitTheEnd(Scene scene, Level level) {
        await().untilAsserted(() -> {
            if (Setting.of(level, Xds.INCREMENTS).ownersRoute()) {
                assertThat(scene.admin().get("/runtime")).doesNotContain("redliner.access_log");
            } else {
                assertThat(scene.admin().get("/config_dump?resource=dynamic_route_configs&name_regex=" + scene.name))
                        .doesNotContain("weighted_clusters");
            }
        });
    }

    private static long logged(Scene scene) {
        return LOGGED.matcher(scene.admin().get("/stats?filter=grpc_access_log")).results()
                .mapToLong(counter -> Long.parseLong(counter.group(1))).sum();
    }
}
