// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.standalone.demo.InstanceModel;
import io.redliner.standalone.demo.TrueCapacity;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import io.redliner.testkit.PlanText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The profiles that take minutes. They run at the same time on services of their own behind one proxy:
 * <ul>
 * <li>an endurance run on an instance that stays as it is, and one on an instance that wears out;
 * <li>a series over instances of four sizes;
 * <li>a run that compares an instance with another whose requests take three times as long.
 * </ul>
 * A busy machine makes an answer wider or INCONCLUSIVE, and never the opposite one. The tests assert that. How near the figures
 * come to the truth: {@code CapacityBySizeTest}, {@code TrendTest} and {@code RegressionComparisonTest} of the
 * controller, and the accuracy lab.
 */
@Tag("soak")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LongRunsTest {

    /** Of the stack: the search tracks the knee for a short time and does not watch the peers. */
    private static final Map<String, String> TIMES = RelaxedTimes.and(Map.of(
            "redliner.analyzer.search.settling", "500ms", "redliner.analyzer.search.baseline", "2s",
            "redliner.analyzer.search.dwell", "2s", "redliner.analyzer.search.least-ride", "15s",
            "redliner.analyzer.search.longest-ride", "40s", "redliner.analyzer.search.watching", "0s"));

    private static final InstanceModel ORDINARY = new InstanceModel(12, Duration.ofMillis(20), 0.4, 200);

    /** So slow that pauses of a busy machine, of some 40 ms, are little beside it. */
    private static final InstanceModel OLD = new InstanceModel(48, Duration.ofMillis(60), 0.4, 200);

    private static final InstanceModel NEW = new InstanceModel(48, Duration.ofMillis(180), 0.4, 200);

    private static final int TESTED = 0;

    private static final int NEXT = 1;

    /**
     * The law that the sizes were made by: with {@link #SIZES}, the constructed capacity at each size is the law's
     * with lambda 95 requests/s, sigma 0.03 and kappa 0.01.
     */
    private static final double LAMBDA = 95;

    private static final double SIGMA = 0.03;

    private static final double KAPPA = 0.01;

    /**
     * By size. The largest is far beyond the peak: of 16, the loss of a twelfth would be lost in the errors of a short time at the knee.
     * There are so many workers that the mean latency rises only just below the capacity: a ramp slows down with it.
     */
    private static final SortedMap<Integer, InstanceModel> SIZES = new TreeMap<>(Map.of(2, sizedModel(8, 42_961), 4,
            sizedModel(16, 50_123), 8, sizedModel(32, 73_621), 24, sizedModel(24, 74_574)));

    /** Beyond the pauses of a busy machine: those break the peers' rule, too, and then nothing is found. */
    private static final Duration SIZED_LIMIT = Duration.ofMillis(500);

    private final OwnService steady = new OwnService("steady", 80, three());

    private final OwnService worn = new OwnService("worn", 80, three());

    private final OwnService sized = new OwnService("sized", 520, Stream.concat(
            SIZES.values().stream().map(model -> new OwnService.Member(model, 1)),
            Stream.of(new OwnService.Member(ORDINARY, 1))).toList());

    private final OwnService released = new OwnService("released", 60, List.of(new OwnService.Member(OLD, 1),
            new OwnService.Member(NEW, 1), new OwnService.Member(OLD, 1), new OwnService.Member(OLD, 1)));

    private final Wear wearNothing = new Wear(steady.fleet(), steady.instance(TESTED), Duration.ZERO);

    private final Wear wearOut = new Wear(worn.fleet(), worn.instance(TESTED), Duration.ofMillis(3));

    private DataFolder data;

    private StandaloneStack stack;

    private ApiClient controller;

    private String steadyRun;

    private String wornRun;

    private String scalability;

    private String regression;

    private static List<OwnService.Member> three() {
        return List.of(new OwnService.Member(ORDINARY, 1), new OwnService.Member(ORDINARY, 1),
                new OwnService.Member(ORDINARY, 1));
    }

    private static InstanceModel sizedModel(int workers, long serviceMicros) {
        return new InstanceModel(workers, Duration.ofNanos(1000 * serviceMicros), 0.3, 1000);
    }

    private static double law(double size) {
        return LAMBDA * size / (1 + SIGMA * (size - 1) + KAPPA * size * (size - 1));
    }

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        data = DataFolder.lock(folder.resolve("data"));
        Path services = Files.writeString(folder.resolve("services.yaml"),
                "services:\n" + steady.entry() + worn.entry() + sized.entry() + released.entry());
        stack = new StandaloneStack(new StackSettings(data, services, 0, EnvoyBinary.locate(), settings()));
        stack.start();
        controller = new ApiClient(stack.dashboard());
        List.of(steady, worn, sized, released).forEach(service -> service.awaitReady(controller));
        steadyRun = startEndurance(steady, "5%");
        wornRun = startEndurance(worn, "15%");
        scalability = startScalability();
        regression = startRegression();
    }

    /**
     * Of the collector, too: it is to know the two instances' collections. Of their memory it could tell that of the machine
     * alone, which others fill, too.
     */
    private Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(TIMES);
        all.put("redliner.collector.scrape.enabled", "true");
        all.put("redliner.collector.scrape.interval", "2s");
        all.put("redliner.collector.scrape.timeout", "2s");
        List<OwnService> watched = List.of(steady, worn);
        for (int index = 0; index < watched.size(); index++) {
            OwnService service = watched.get(index);
            String prefix = "redliner.collector.instances[" + index + "].";
            all.put(prefix + "service", service.name());
            all.put(prefix + "address", service.instance(TESTED));
            all.put(prefix + "scrape", "http://" + service.instance(TESTED) + "/metrics");
        }
        return all;
    }

    /**
     * Its limit is beyond the pauses of a busy machine.
     *
     * @param drift of it, that matters
     */
    private String startEndurance(OwnService service, String drift) {
        controller.putPlan(service.name(), PlanText.of(service.name(), service.instance(TESTED), "profile: endurance",
                "endurance: {share: 45%, ramp: 5s, hold: 5m, drift: " + drift + "}", PlanText.sla("3s", "0.001"),
                "limits: {maxShare: 60%, maxRaise: 2x, maxDuration: 8m, harmBudget: 5%, window: 1s}"));
        return controller.startRun(service.name());
    }

    private String startScalability() {
        StringBuilder points = new StringBuilder();
        int position = 0;
        for (int size : SIZES.keySet()) {
            points.append("      - {instance: \"").append(sized.instance(position)).append("\", size: ").append(size)
                    .append("}\n");
            position++;
        }
        controller.putPlan(sized.name(), """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  profile: scalability
                  scalability:
                    points:
                %s
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('%sms')"}
                  limits: {maxShare: 90%%, maxRaise: 2.5x, maxDuration: 5m, harmBudget: 20%%, window: 500ms}
                """.formatted(sized.name(), sized.name(), points, SIZED_LIMIT.toMillis()));
        return controller.startRun(sized.name());
    }

    private String startRegression() {
        controller.putPlan(released.name(), """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  profile: regression
                  regression:
                    old: "%s"
                    new: "%s"
                    rounds: 2
                    compare: latency
                    load: {share: 40%%, ramp: 2s, hold: 8s}
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('2s')"}
                  limits: {maxShare: 60%%, maxRaise: 2x, maxDuration: 5m, harmBudget: 20%%, window: 1s}
                """.formatted(released.name(), released.name(), released.instance(TESTED), released.instance(NEXT)));
        return controller.startRun(released.name());
    }

    @AfterAll
    void stop() {
        wearNothing.close();
        wearOut.close();
        controller.close();
        stack.close();
        data.close();
        List.of(steady, worn, sized, released).forEach(OwnService::close);
    }

    private JsonNode endedRun(String id) {
        JsonNode run = RunEnd.awaitOf(controller, id, Duration.ofMinutes(9));
        System.out.println(run.path("outcome").asString() + " " + run.path("stopReason"));
        return run;
    }

    private JsonNode endedSeries(String id) {
        await("the end of the series").atMost(Duration.ofMinutes(14)).pollInterval(Duration.ofSeconds(1))
                .until(() -> controller.get("/series/" + id).hasNonNull("finishedAt"));
        JsonNode ended = controller.get("/series/" + id);
        System.out.println(ended);
        return ended;
    }

    private static double figure(JsonNode report, String name) {
        return figureNode(report, name).path("value").asDouble();
    }

    private static JsonNode figureNode(JsonNode report, String name) {
        return report.path("figures").valueStream().filter(figure -> figure.path("name").asString().equals(name))
                .findFirst().orElseThrow(() -> new AssertionError("no figure " + name + " in " + report));
    }

    private static void assertRestored(JsonNode run, OwnService service) {
        assertThat(run.path("restore").path("proof").asString()).as(run.toString()).isEqualTo("MEASURED");
        assertThat(service.shareOfNext(800, service.instance(TESTED))).as("share of one among three")
                .isBetween(0.26, 0.41);
    }

    @Test
    void endurance_does_not_fail_on_an_instance_whose_latency_and_collections_are_steady() {
        JsonNode run = endedRun(steadyRun);

        assertRestored(run, steady);
        String reason = run.path("stopReason").toString();
        assertThat(run.path("outcome").asString()).as(reason).isIn("PASSED", "INCONCLUSIVE");
        if (run.path("outcome").asString().equals("PASSED")) {
            assertThat(run.path("stopReason").path("code").asString()).as(reason).isEqualTo("SlaHeld");
            for (String watched : List.of("latency.p50", "latency.p99")) {
                assertThat(reason).contains(watched + " is steady");
                assertThat(figure(run.path("report"), "drift." + watched + ".atMost")).as(watched)
                        .isLessThan(figure(run.path("report"), "drift." + watched + ".matters"));
            }
            assertThat(reason).contains("gc.pause", "memory is steady");
        }
    }

    @Test
    void endurance_does_not_pass_on_an_instance_that_grows_slower_although_the_sla_holds() {
        JsonNode run = endedRun(wornRun);

        assertRestored(run, worn);
        String reason = run.path("stopReason").toString();
        assertThat(run.path("outcome").asString()).as(reason).isIn("THRESHOLD_FAILED", "INCONCLUSIVE");
        if (run.path("outcome").asString().equals("THRESHOLD_FAILED")) {
            assertThat(run.path("stopReason").path("code").asString()).as(reason).isEqualTo("Drifting");
            assertThat(reason).contains("the SLA held").doesNotContain("memory was not measured")
                    .containsPattern("latency.* grew by").contains("memory ");
        }
    }

    @Test
    void scalability_fits_a_law_to_the_sizes_whose_capacity_was_found_or_says_that_there_are_too_few() {
        JsonNode ended = endedSeries(scalability);

        assertThat(ended.path("outcome").asString()).as(ended.toString()).isEqualTo("COMPLETED");
        assertThat(ended.path("members")).hasSize(SIZES.size());
        int found = 0;
        for (JsonNode member : ended.path("members")) {
            InstanceModel model = Objects.requireNonNull(SIZES.get(member.path("size").asInt()));
            assertThat(new TrueCapacity(model, SIZED_LIMIT, 1).requestsPerSecond())
                    .as("capacity that was constructed").isCloseTo(law(member.path("size").asInt()),
                            Percentage.withPercentage(2));
            assertThat(member.path("outcome").asString()).as(member.toString()).isIn("CAPACITY_FOUND", "INCONCLUSIVE");
            if (member.path("outcome").asString().equals("CAPACITY_FOUND")) {
                found++;
                assertThat(member.path("value").asDouble()).as(member.toString()).isPositive();
            }
        }
        JsonNode result = ended.path("result");
        if (found == SIZES.size()) {
            assertThat(result.path("verdict").asString()).as(result.toString()).isEqualTo("FITTED");
            assertThat(figure(result, "lambda")).isPositive();
            assertThat(figure(result, "sigma")).isBetween(0.0, 1.0);
            assertThat(figure(result, "kappa")).isNotNegative();
        } else {
            assertThat(result.path("verdict").asString()).as(result.toString()).isEqualTo("INCONCLUSIVE");
            assertThat(result.path("words").asString()).contains("of " + found + " measured sizes");
        }
    }

    @Test
    void regression_never_takes_the_instance_whose_requests_take_three_times_as_long_for_the_same_or_a_better_one() {
        JsonNode ended = endedSeries(regression);

        assertThat(ended.path("members")).hasSize(8);
        JsonNode result = ended.path("result");
        assertThat(result.path("verdict").asString()).as(ended.toString()).isIn("WORSE", "INCONCLUSIVE");
        if (!result.path("figures").isEmpty()) {
            assertThat(figure(result, "change")).as(result.toString()).isPositive();
        }
    }
}
