// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That moving a share costs nobody an answer. */
@Timeout(600)
class UnderLoadTest {

    private static final int FAST_CLIENTS = 8;

    private static void noRequestFails(RedirectMode mode, int moves, int requests) {
        Redirect redirect = new Redirect(mode, null, null, List.of());
        ProxiedServiceSettings setting = ProxiedServiceSettings.of(Level.EVERYTHING,
                mode == RedirectMode.SPLIT ? Xds.WHOLE_STATE : Xds.INCREMENTS);
        try (ProxiedService proxied = ProxiedService.start(setting);
                Load load = new Load(proxied.port, FAST_CLIENTS, requests)) {
            // when the share moves each time that such a part of the requests is done
            int step = requests / moves;
            try (LeaseHolder holder = proxied.holder(1, redirect)) {
                for (int move = 1; move <= moves; move++) {
                    int ppm = move % 2 == 0 ? 900_000 : 50_000 * (move % 10);
                    int due = move * step - step / 2;
                    proxied.hold(holder, 1, ppm);
                    await().pollInterval(Duration.ofMillis(5)).until(() -> load.done() >= due);
                }
                holder.release();
            }

            // then
            assertThat(load.finish().values().stream().mapToInt(count -> count).sum()).isEqualTo(requests);
        }
    }

    @ParameterizedTest
    @CsvSource({"SPLIT, 4000", "ENDPOINT_WEIGHT, 2000"})
    void no_request_fails_while_the_share_moves_ten_times(RedirectMode mode, int requests) {
        noRequestFails(mode, 10, requests);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"SPLIT, 100000", "ENDPOINT_WEIGHT, 20000"})
    void no_request_fails_while_the_share_moves_fifty_times(RedirectMode mode, int requests) {
        noRequestFails(mode, 50, requests);
    }
}
