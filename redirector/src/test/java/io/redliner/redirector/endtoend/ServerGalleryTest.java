// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers as they are in the field, one instance sick: a test changes nothing for users. {@link StrictServersTest} has Tomcat and gRPC. */
@Tag("fault")
@Timeout(600)
class ServerGalleryTest {

    enum Server {
        NGINX, GO;

        ProgramFleet start(int size) throws Exception {
            String program = name().toLowerCase(Locale.ROOT);
            assumeTrue(ProgramFleet.has(program), program + " is not installed");
            return this == NGINX ? ProgramFleet.nginx(size) : ProgramFleet.go(size);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_sick_instance_gets_no_request_in_a_test_either(Server server) throws Exception {
        try (ProgramFleet fleet = server.start(4)) {
            String sick = fleet.addresses().getFirst();
            fleet.fallSick(sick);
            ProxiedServiceSettings checked = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.INCREMENTS).withOwnProxy()
                    .more("healthCheck: {path: /health, interval: 250ms, timeout: 5s, unhealthy: 2, healthy: 1}");
            try (ProxiedService proxied = ProxiedService.start(checked, fleet.addresses());
                    Users users = new Users(proxied.port);
                    LeaseHolder holder = proxied.holder(1)) {
                users.await(100);
                proxied.hold(holder, 1, 400_000);
                users.await(500);
                holder.release();
                proxied.await(ReportedLeaseState.NATURAL);
                users.await(50);

                assertThat(users.statuses()).containsOnlyKeys(200);
                Map<String, Long> requests = fleet.requests();
                assertThat(requests).as("at the servers, %s", users.statuses()).containsEntry(sick, 0L);
                assertThat(requests.getOrDefault(proxied.sut, 0L)).isGreaterThan(100);
            }
        }
    }
}
