// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.acceptance.ApiClient;
import io.redliner.acceptance.LiveStack;
import io.redliner.acceptance.RunEnd;
import io.redliner.acceptance.gallery.WalledService.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Runs name the walls of real servers, under traffic through Envoy. One run of each server, or {@code -Dgallery.runs=20}, of
 * {@code -Dgallery.walls=HEAP,POOL} alone; all runs are lines of {@code target/gallery.csv}. Of servers whose
 * requests wait, three are tested at the same time.
 */
@Tag("gallery")
class GalleryTest {

    private static final int RUNS = Integer.getInteger("gallery.runs", 1);

    /** Part of the runs in which the right wall has to be the first. */
    private static final double FIRST = 0.9;

    private static final int BESIDE_EACH_OTHER = 3;

    private static final Path RESULTS = Path.of("target", "gallery.csv");

    private static final Duration LIMIT = Duration.ofMinutes(8);

    @TempDir
    Path folder;

    /**
     * One run.
     *
     * @param capacity requests/s; NaN without one
     * @param kinds of its findings, the most likely first
     * @param doubts names of the checks that are not passed
     */
    private record Named(String outcome, double capacity, List<String> kinds, Set<String> doubts, String words) {

        static Named of(JsonNode run) {
            return new Named(run.path("outcome").asString(),
                    run.path("result").path("capacity").asDouble(Double.NaN),
                    run.path("bottleneck").valueStream().map(each -> each.path("resource").asString()).toList(),
                    run.path("validity").valueStream()
                            .filter(each -> Set.of("DOUBTFUL", "INVALID").contains(each.path("verdict").asString()))
                            .map(each -> each.path("name").asString()).collect(Collectors.toCollection(TreeSet::new)),
                    run.path("stopReason") + " " + run.path("bottleneck") + " " + run.path("validity"));
        }
    }

    static Stream<List<Wall>> walls() {
        List<Wall> walls = ChosenCases.of(Wall.class, "gallery.walls");
        List<Wall> waiting = walls.stream().filter(Wall::waits).toList();
        List<List<Wall>> groups = new ArrayList<>();
        for (int first = 0; first < waiting.size(); first += BESIDE_EACH_OTHER) {
            groups.add(waiting.subList(first, Math.min(waiting.size(), first + BESIDE_EACH_OTHER)));
        }
        return Stream.concat(groups.stream(), walls.stream().filter(wall -> !wall.waits()).map(List::of));
    }

    @ParameterizedTest
    @MethodSource("walls")
    void runs_name_the_wall(List<Wall> walls) throws Exception {
        List<Place> places = walls.stream()
                .map(wall -> Place.free(wall.name().toLowerCase(Locale.ROOT).replace('_', '-'), wall)).toList();
        Map<String, String> settings = new HashMap<>();
        places.forEach(place -> settings.putAll(place.settings(places.indexOf(place))));
        Deque<WalledService> services = new ArrayDeque<>();
        try (LiveStack stack = new LiveStack(settings); AutoCloseable all = () -> close(services)) {
            for (Place place : places) {
                services.push(new WalledService(place, Files.createDirectory(folder.resolve(place.service()))));
                stack.serve(place.service(), services.peek().entry());
                stack.controller().putPlan(place.service(), services.peek().plan());
            }
            for (WalledService service : services) {
                service.awaitAnswers();
            }
            Map<Wall, List<Named>> named = new HashMap<>();
            for (int run = 1; run <= RUNS; run++) {
                round(stack.controller(), places, named);
            }
            named.forEach(GalleryTest::judge);
        }
    }

    /** Lets all services have a run at the same time. */
    private static void round(ApiClient controller, List<Place> places, Map<Wall, List<Named>> named)
            throws IOException {
        Map<Place, String> live = new HashMap<>();
        places.forEach(place -> live.put(place, controller.startRun(place.service())));
        for (Place place : places) {
            Named run = Named.of(RunEnd.awaitOf(controller, live.get(place), LIMIT));
            List<Named> all = named.computeIfAbsent(place.wall(), wall -> new ArrayList<>());
            all.add(run);
            write(place.wall(), all.size(), run);
        }
    }

    private static void judge(Wall wall, List<Named> runs) {
        assertThat(runs).as(wall + " among the first two").allSatisfy(
                run -> assertThat(run.kinds().stream().limit(2)).as(run.words()).contains(wall.finding()));
        assertThat(runs).as(wall + " doubted by its check").allSatisfy(
                run -> assertThat(run.doubts()).as(run.words())
                        .containsAll(wall.check().isEmpty() ? Set.of() : Set.of(wall.check())));
        assertThat(runs).filteredOn(run -> run.kinds().getFirst().equals(wall.finding())).as(wall + " first")
                .hasSizeGreaterThanOrEqualTo((int) Math.ceil(FIRST * RUNS));
    }

    private static void close(Deque<WalledService> services) throws IOException {
        for (WalledService service : services) {
            service.close();
        }
    }

    private static void write(Wall wall, int number, Named named) throws IOException {
        Files.writeString(RESULTS, String.join(",", wall.name(), Integer.toString(number), named.outcome(),
                Double.toString(named.capacity()), String.join(" ", named.kinds()), String.join(" ", named.doubts()))
                + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(wall + " " + named);
    }
}
