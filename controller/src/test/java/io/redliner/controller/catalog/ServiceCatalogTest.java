// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.catalog.ServiceReport.KnownProxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServiceCatalogTest {

    private static final Instant START = Instant.parse("2026-11-20T09:00:00Z");

    private Instant now = START;

    private final ServiceCatalog catalog = new ServiceCatalog((InstantSource) () -> now, Duration.ofSeconds(3));

    private void heard(String service, String redirector) {
        catalog.heard(new ServiceReport(service, redirector, 7, List.of(), List.of(new KnownProxy("node", true))));
    }

    private List<String> names() {
        return catalog.services().stream().map(KnownService::name).toList();
    }

    @Test
    void what_was_silent_for_long_is_forgotten_and_the_rest_is_not() {
        heard("gone", "r-1");
        heard("moved", "r-1");
        now = START.plus(Duration.ofDays(5));
        heard("moved", "r-2");

        assertThat(catalog.forget(START, Set.of())).as("nobody was silent before that").isZero();
        assertThat(catalog.forget(START.plusSeconds(1), Set.of())).isEqualTo(1);

        assertThat(names()).containsExactly("moved");
        assertThat(catalog.find("gone")).isEmpty();
        assertThat(catalog.find("moved").orElseThrow().redirectors()).containsExactly("r-2");
    }

    @Test
    void a_service_with_a_live_run_keeps_all_that_was_said_of_it() {
        heard("busy", "r-1");
        now = START.plus(Duration.ofDays(30));

        assertThat(catalog.forget(now, Set.of("busy"))).isZero();
        assertThat(catalog.find("busy").orElseThrow().epoch()).isEqualTo(7);
        assertThat(catalog.find("busy").orElseThrow().fresh()).isFalse();

        assertThat(catalog.forget(now, Set.of("other"))).isEqualTo(1);
        assertThat(names()).isEmpty();
    }

    @Test
    void a_service_that_was_forgotten_is_known_again_when_it_is_told_of() {
        heard("shop", "r-1");
        now = START.plus(Duration.ofDays(30));
        catalog.forget(now, Set.of());

        heard("shop", "r-9");

        assertThat(catalog.find("shop").orElseThrow().fresh()).isTrue();
        assertThat(catalog.find("shop").orElseThrow().redirectors()).containsExactly("r-9");
    }
}
