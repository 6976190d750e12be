// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.EnvoyProcess;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.demo.DemoService;
import io.redliner.standalone.demo.DemoTraffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The demo's fleet and its users, who outlive whatever RedLiner is put in front of them, and the truth about where their
 * requests went: the instances' own counts.
 */
final class LiveService implements AutoCloseable {

    static final double NATURAL = 0.25;

    /** An instance that takes 60 % of the traffic easily, so that a run on it keeps ramping. */
    private static final int SPARE_ATTEMPTS = 3;

    private static final int ROOMY_INSTANCE = 0;

    /** A search that ramps without waiting to be sure: what it finds does not matter to the tests of faults. */
    static final Map<String, String> HASTY_SEARCH = Map.of("redliner.analyzer.search.settling", "500ms",
            "redliner.analyzer.search.baseline", "2s", "redliner.analyzer.search.dwell", "1s");

    /** Three looks at the counts hold some 500 requests: 3 standard deviations from a share of 0.25 and from one of 0.40. */
    private static final double CLEARLY_NOT_RAMPED = 0.325;

    private static final Duration POLL = Duration.ofMillis(250);

    private static final int SAMPLES = 3;

    /** What the measurement itself needs to see a share that has become natural. */
    private static final Duration SAMPLING = POLL.multipliedBy(SAMPLES + 1);

    private final Path folder;

    private final DemoService service = DemoService.start(FreePort.next());

    private final DemoTraffic traffic = service.traffic();

    private final Path servicesFile;

    private long failedBefore;

    private long sentBefore;

    LiveService() throws IOException {
        folder = Files.createTempDirectory("redliner-acceptance");
        servicesFile = service.writeServicesFile(folder);
        traffic.start();
    }

    Path servicesFile() {
        return servicesFile;
    }

    /** Takes one of the roomy instance's peers out of the services file. */
    void takeOutPeer() throws IOException {
        String peer = service.fleet().addresses().getLast();
        String text = Files.readString(servicesFile);
        assertThat(text).contains(peer);
        Files.writeString(servicesFile, text.replace("      - \"" + peer + "\"\n", ""));
    }

    Path dataFolder() {
        return folder.resolve("data");
    }

    String roomyInstance() {
        return service.fleet().addresses().get(ROOMY_INSTANCE);
    }

    /** Lets plans choose the instance with half the workers by its hardware: {@code small}. */
    void describeTo(ControllerClient controller) {
        service.describeTo(controller);
    }

    /** The one with half the workers. */
    String oddInstance() {
        return service.oddInstance();
    }

    /** Waits until users are served and the controller knows a connected proxy. */
    void awaitReady(ControllerClient controller) {
        awaitServed();
        await("a connected proxy").until(() -> isReady(controller));
    }

    /** A plan whose run ramps the roomy instance up to its share cap and finds nothing on the way. */
    String rampingPlan() {
        return rampingPlan("{mode: split}");
    }

    private String rampingPlan(String redirect) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: ramping}
                spec:
                  service: %s
                  sut: {instance: "%s"}
                  redirect: %s
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('2s')"}
                  limits: {maxShare: 60%%, maxRaise: 2x, maxDuration: 2m, harmBudget: 5%%, window: 500ms}
                """.formatted(DemoService.NAME, roomyInstance(), redirect);
    }

    /** Asserts that hardly any request has failed since users were first served. */
    void assertServedAllTheWhile() {
        assertThat(traffic.failed() - failedBefore).as("requests that failed, of %s", traffic.sent() - sentBefore)
                .isLessThan((traffic.sent() - sentBefore) / 100);
    }

    /** Starts a ramping run as soon as the controller knows a connected proxy, and waits until it is well under way. */
    String rampUp(ControllerClient controller) {
        return rampUp(controller, "{mode: split}");
    }

    /** Like {@link #rampUp(ControllerClient)}, with traffic moved in this way. */
    String rampUp(ControllerClient controller, String redirect) {
        awaitServed();
        failedBefore = traffic.failed();
        sentBefore = traffic.sent();
        await("a connected proxy").until(() -> isReady(controller));
        controller.putPlan("ramping", rampingPlan(redirect));
        return rampUp(controller, SPARE_ATTEMPTS);
    }

    /** A run that the machine was too busy for ends without an answer, and is started again. */
    private String rampUp(ControllerClient controller, int spare) {
        String run = controller.startRun("ramping");
        ShareMeter meter = measuredShare();
        await("a share far above the natural one").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(1))
                .until(() -> meter.sinceLast() >= 0.40 || (spare > 0 && isOver(controller, run)));
        if (spare == 0 || !isOver(controller, run)) {
            return run;
        }
        await("a free service").until(() -> isReady(controller));
        return rampUp(controller, spare - 1);
    }

    private static boolean isOver(ControllerClient controller, String run) {
        return RunEnd.isOver(controller.get("/runs/" + run));
    }

    private static boolean isReady(ControllerClient controller) {
        return isFree(controller.get("/services"));
    }

    /** Whether the demo's service is known, by the controller's list of services, has a proxy, and no run is live on it. */
    static boolean isFree(JsonNode services) {
        for (JsonNode item : services.path("items")) {
            if (item.path("name").asString().equals(DemoService.NAME)) {
                return item.path("fresh").asBoolean() && !item.path("proxies").isEmpty()
                        && !item.hasNonNull("liveRun");
            }
        }
        return false;
    }

    /** Waits until users get answers. */
    void awaitServed() {
        long before = traffic.succeeded();
        await("answers for users").until(() -> traffic.succeeded() > before + 600);
    }

    /** Waits until the roomy instance gets no more than its natural share, then makes sure that it stays so. */
    void awaitNaturalWithin(Duration limit) {
        Deque<ShareMeter> recent = new ArrayDeque<>();
        await("the natural share").atMost(limit.plus(SAMPLING)).pollDelay(POLL).pollInterval(POLL).until(() -> {
            recent.add(measuredShare());
            return recent.size() <= SAMPLES ? Double.NaN : recent.remove().sinceLast();
        }, share -> share < CLEARLY_NOT_RAMPED);
        assertThat(shareOfNext(1500)).as("share over the 1500 requests that followed").isBetween(0.20, 0.30);
    }

    /** The share of that many requests that are sent from now on. */
    double shareOfNext(int requests) {
        ShareMeter meter = measuredShare();
        long from = traffic.sent();
        await().until(() -> traffic.sent() > from + requests);
        return meter.sinceLast();
    }

    ShareMeter measuredShare() {
        return new ShareMeter();
    }

    /** Ends what a RedLiner that was killed, and not started again, left behind in the data folder. */
    private void endLeftovers() {
        EnvoyProcess.endLeftover("standalone", dataFolder().resolve("envoy"));
        EmbeddedDatabase.endLeftover(dataFolder().resolve("postgresql"));
    }

    @Override
    public void close() throws IOException {
        endLeftovers();
        traffic.close();
        service.fleet().close();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** The share of the requests that arrived at the roomy instance between two looks. */
    final class ShareMeter {

        private Map<String, Long> last = service.fleet().arrivals();

        double sinceLast() {
            Map<String, Long> now = service.fleet().arrivals();
            long all = total(now) - total(last);
            long sut = now.getOrDefault(roomyInstance(), 0L) - last.getOrDefault(roomyInstance(), 0L);
            last = now;
            return all == 0 ? Double.NaN : (double) sut / all;
        }

        private long total(Map<String, Long> arrivals) {
            return arrivals.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
