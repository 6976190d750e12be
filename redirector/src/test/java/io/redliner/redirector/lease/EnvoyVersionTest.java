// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.dataplane.EnvoyVersion;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.routing.Redirect.Attribute;
import io.redliner.redirector.routing.Redirect.Mode;
import io.redliner.redirector.routing.Redirect.Source;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnvoyVersionTest extends RedirectorScene {

    private static final Redirect HASH = new Redirect(Mode.HASH, Optional.of(new Attribute(Source.HEADER, "uid")), 0,
            List.of());

    private void hold(Redirect redirect) {
        start();
        connect();
        acknowledge();
        Lease split = Examples.lease(7, 1, 600_000, START);
        receive(new Lease(split.service(), split.runId(), split.epoch(), split.sequence(), split.sut(),
                split.sharePpm(), split.issuedAt(), split.expiresAt(), split.ttl(), false, redirect));
        acknowledge();
    }

    @Test
    void hash_is_refused_where_a_proxy_would_choose_at_random() {
        version = new EnvoyVersion(1, 35);

        hold(HASH);

        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("proxy p is Envoy of version 1.35")
                .contains("needs 1.36 or later");
        assertThat(journal.statuses).extracting(ServiceLeaseStatus::state).doesNotContain(State.APPLIED);
        assertThat(dataPlane.last().override()).isEmpty();
    }

    @Test
    void hash_is_refused_where_a_proxy_names_no_version() {
        version = EnvoyVersion.UNKNOWN;

        hold(HASH);

        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("version unknown");
    }

    @Test
    void what_a_proxy_knows_is_taken() {
        version = new EnvoyVersion(1, 36);
        hold(HASH);
        assertThat(journal.state()).isEqualTo(State.APPLIED);
    }

    @Test
    void split_needs_no_version() {
        version = EnvoyVersion.UNKNOWN;
        hold(Redirect.SPLIT);
        assertThat(journal.state()).isEqualTo(State.APPLIED);
    }
}
