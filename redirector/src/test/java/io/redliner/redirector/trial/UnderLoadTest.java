// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.redirector.share.Redirect;
import io.redliner.redirector.share.Redirect.Mode;
import io.redliner.redirector.share.ShareStatus.State;
import io.redliner.redirector.trial.Scene.Xds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That moving a share costs nobody an answer. */
@Timeout(600)
class UnderLoadTest {

    private static final int MOVES = 50;

    private static final int FAST_CLIENTS = 8;

    private static final int SLOW_CLIENTS = 24;

    @TempDir
    private Path folder;

    /** Requests under way when a share moves are the point: most clients ask for what takes a fifth of a second. */
    private static void send(Scene scene, AtomicInteger left, AtomicInteger done, String path) {
        try (Traffic traffic = new Traffic(scene.port)) {
            while (left.getAndDecrement() > 0) {
                traffic.with(request -> request.uri(java.net.URI.create("http://127.0.0.1:" + scene.port + path)));
                done.incrementAndGet();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"SPLIT, 100_000", "ENDPOINT_WEIGHT, 20_000"})
    void no_request_fails_while_the_share_moves_fifty_times(Mode mode, String amount) {
        int requests = Integer.parseInt(amount.replace("_", ""));
        Redirect redirect = new Redirect(mode, Optional.empty(), 0, List.of());
        AtomicInteger left = new AtomicInteger(requests);
        AtomicInteger done = new AtomicInteger();
        try (Scene scene = Scene.start(folder, mode == Mode.SPLIT ? Xds.WHOLE_STATE : Xds.INCREMENTS);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> sending = new ArrayList<>();
            for (int client = 0; client < FAST_CLIENTS + SLOW_CLIENTS; client++) {
                String path = client < FAST_CLIENTS ? "/" : "/slow";
                sending.add(CompletableFuture.runAsync(() -> send(scene, left, done, path), clients));
            }

            // when the share moves each time that a fiftieth of the requests is done
            int step = requests / MOVES;
            try (Tenant tenant = scene.tenant(1, redirect)) {
                for (int move = 1; move <= MOVES; move++) {
                    int ppm = move % 2 == 0 ? 900_000 : 50_000 * (move % 10);
                    int due = move * step - step / 2;
                    tenant.hold(ppm);
                    await().pollInterval(Duration.ofMillis(5)).until(
                            () -> done.get() >= due && scene.last().share().ppm() == ppm
                                    && scene.last().state() == State.APPLIED);
                }
                tenant.release();
            }

            // then
            assertThat(sending).allSatisfy(client -> assertThat(client).succeedsWithin(Duration.ofSeconds(60)));
            assertThat(done).hasValue(requests);
        }
    }
}
