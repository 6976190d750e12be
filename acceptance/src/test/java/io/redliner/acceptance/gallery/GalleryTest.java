// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.acceptance.ApiClient;
import io.redliner.acceptance.LiveStack;
import io.redliner.acceptance.RunEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * A run names the wall of a real server, under traffic through Envoy. One run of each server, or {@code -Dgallery.runs=20}, of
 * {@code -Dgallery.walls=HEAP,POOL} alone; all runs are lines of {@code target/gallery.csv}.
 */
@Tag("gallery")
class GalleryTest {

    private static final int RUNS = Integer.getInteger("gallery.runs", 1);

    private static final List<Wall> WALLS = Arrays.stream(System.getProperty("gallery.walls", "").split(","))
            .filter(name -> !name.isEmpty()).map(Wall::valueOf).toList();

    private static final Path RESULTS = Path.of("target", "gallery.csv");

    private static final String SERVICE = "walled";

    private static final Duration LIMIT = Duration.ofMinutes(8);

    @TempDir
    Path folder;

    /**
     * One run.
     *
     * @param capacity requests/s; NaN without one
     * @param kinds of its findings, the most likely first
     */
    private record Named(String outcome, double capacity, List<String> kinds, String words) {}

    @ParameterizedTest
    @EnumSource
    void a_run_names_the_wall(Wall wall) throws Exception {
        Assumptions.assumeTrue(WALLS.isEmpty() || WALLS.contains(wall), "it is not asked for");
        WalledService.Place place = WalledService.Place.free(SERVICE, wall);
        try (WalledService service = new WalledService(place, folder);
                LiveStack stack = new LiveStack(place.settings())) {
            stack.serve(SERVICE, service.entry());
            service.awaitAnswers();
            stack.controller().putPlan(SERVICE, service.plan());
            for (int run = 1; run <= RUNS; run++) {
                Named named = run(stack.controller());
                write(wall, run, named);
                assertThat(named.outcome()).as(named.words()).isEqualTo("CAPACITY_FOUND");
                assertThat(named.kinds()).as(named.words()).isNotEmpty();
                assertThat(named.kinds().getFirst()).as(named.words()).isEqualTo(wall.finding());
            }
        }
    }

    private static Named run(ApiClient controller) {
        String id = controller.startRun(SERVICE);
        JsonNode run = RunEnd.awaitOf(controller, id, LIMIT);
        List<String> kinds = run.path("bottleneck").valueStream().map(each -> each.path("resource").asString())
                .toList();
        return new Named(run.path("outcome").asString(), run.path("result").path("capacity").asDouble(Double.NaN),
                kinds,
                run.path("stopReason") + " " + run.path("bottleneck") + " " + run.path("validity"));
    }

    private static void write(Wall wall, int number, Named named) throws IOException {
        Files.writeString(RESULTS, String.join(",", wall.name(), Integer.toString(number), named.outcome(),
                Double.toString(named.capacity()), String.join(" ", named.kinds())) + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        System.out.println(wall + " " + named);
    }
}
