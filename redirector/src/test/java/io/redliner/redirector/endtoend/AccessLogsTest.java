// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of a service that nobody tests, proxies log a tenth of the requests when they have ended, and nothing else. */
@Timeout(600)
class AccessLogsTest {

    private static final int REQUESTS = 100;

    /** None of them is logged by chance once in 10^9 times. */
    private static final int UNTESTED_REQUESTS = 200;

    /** Its start, the end of its only attempt, and its own end. */
    private static final int RECORDS_PER_REQUEST = 3;

    /** Nobody listens, so some are dropped. */
    private static final Pattern LOGGED = Pattern
            .compile("access_logs\\.grpc_access_log\\.logs_(?:written|dropped): (\\d+)");

    @ParameterizedTest
    @EnumSource(Level.class)
    void are_written_only_while_a_lease_and_what_it_laid_out_last(Level level) {
        try (ProxiedService proxied = ProxiedService
                .start(ProxiedServiceSettings.of(level, Xds.INCREMENTS).withOwnProxy())) {
            // when nobody tests
            proxied.traffic.send(UNTESTED_REQUESTS);

            // then
            long sampled = awaitSample(proxied, 0);

            // when, at the natural share
            try (LeaseHolder holder = proxied.applied(1, 250_000, Redirect.SPLIT)) {
                proxied.traffic.send(REQUESTS);

                // then
                awaitLogged(proxied, sampled + RECORDS_PER_REQUEST * REQUESTS);
                holder.release();
            }
            proxied.await(ReportedLeaseState.NATURAL);

            // when, for the share has to be read back
            proxied.traffic.send(REQUESTS);

            // then
            awaitLogged(proxied, sampled + 2 * RECORDS_PER_REQUEST * REQUESTS);

            // when
            awaitTheEnd(proxied, level);
            proxied.traffic.send(UNTESTED_REQUESTS);
            assertThat(proxied.traffic.withHeader("x-redliner-id", "of a client's own")).isNotEmpty();

            // then
            awaitSample(proxied, sampled + 2 * RECORDS_PER_REQUEST * REQUESTS);
        }
    }

    /** Waits until some of so many requests are logged; by chance they are not more than three times as many as should be. */
    private static long awaitSample(ProxiedService proxied, long before) {
        await().untilAsserted(() -> assertThat(logged(proxied) - before).isPositive());
        return assertThat(logged(proxied)).isBetween(before + 1, before + 3 * UNTESTED_REQUESTS / 10).actual();
    }

    private static void awaitLogged(ProxiedService proxied, long records) {
        await().untilAsserted(() -> assertThat(logged(proxied)).isEqualTo(records));
    }

    /** Of the lease, and of what it laid out. */
    private static void awaitTheEnd(ProxiedService proxied, Level level) {
        await().untilAsserted(() -> {
            if (ProxiedServiceSettings.of(level, Xds.INCREMENTS).ownersRoute()) {
                assertThat(proxied.admin().get("/runtime")).doesNotContain("redliner.access_log");
            } else {
                assertThat(
                        proxied.admin().get("/config_dump?resource=dynamic_route_configs&name_regex=" + proxied.name))
                        .doesNotContain("weighted_clusters");
            }
        });
    }

    private static long logged(ProxiedService proxied) {
        return LOGGED.matcher(proxied.admin().get("/stats?filter=grpc_access_log")).results()
                .mapToLong(counter -> Long.parseLong(counter.group(1))).sum();
    }
}
