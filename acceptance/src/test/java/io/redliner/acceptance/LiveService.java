// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.demo.InstanceModel;
import io.redliner.testkit.PlanText;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Map;

/**
 * A service whose first instance is ramped, and its users, who outlive whatever RedLiner is put in front of them. The instances
 * themselves count where the requests arrive.
 */
final class LiveService implements AutoCloseable {

    /** Each takes 60 % of the traffic easily, so that a run keeps ramping. */
    private static final OwnService.Member ROOMY = new OwnService.Member(
            new InstanceModel(12, Duration.ofMillis(20), 0.4, 200), 1);

    private static final int INSTANCES = 4;

    private static final double REQUESTS_PER_SECOND = 500;

    private static final int SPARE_ATTEMPTS = 3;

    /**
     * Three counts hold some 375 requests: 3 standard deviations from a share of 0.25 and from one of 0.40. A raised share that
     * chance lets pass fails over the 1500 requests that follow.
     */
    private static final double CLEARLY_NOT_RAMPED = 0.325;

    /** Of the 500 requests of a second: 2 standard deviations above 0.40. */
    private static final double CLEARLY_RAMPED = 0.45;

    private static final Duration POLL = Duration.ofMillis(250);

    private static final int SAMPLES = 3;

    /** What the measurement itself takes to tell that a share has become natural. */
    private static final Duration SAMPLING = POLL.multipliedBy(SAMPLES + 1);

    private final OwnService service;

    private long failedBefore;

    private long sentBefore;

    /** @param name in the services file */
    LiveService(String name) {
        service = new OwnService(name, REQUESTS_PER_SECOND, Collections.nCopies(INSTANCES, ROOMY));
    }

    OwnService service() {
        return service;
    }

    private DemoTraffic traffic() {
        return service.traffic();
    }

    /** The one that is ramped. */
    String instance() {
        return service.instance(0);
    }

    /** A plan whose run ramps the instance up to its share cap and finds nothing on the way. */
    private String rampingPlan(String redirect) {
        return PlanText.of(service.name(), instance(), "redirect: " + redirect, PlanText.sla("2s"),
                "limits: {maxShare: 60%, maxRaise: 2x, maxDuration: 2m, harmBudget: 5%, window: 500ms}");
    }

    /** How many requests failed, and connections were refused, since the service was there. */
    long failed() {
        return traffic().failed();
    }

    /** Asserts that hardly any request has failed since the run was started. */
    void assertServedAllTheWhile() {
        assertThat(traffic().failed() - failedBefore).as("requests that failed, of %s", traffic().sent() - sentBefore)
                .isLessThan((traffic().sent() - sentBefore) / 100);
    }

    /** Starts a ramping run as soon as the controller knows a connected proxy, and waits until it is well under way. */
    String rampUp(ApiClient controller) {
        return rampUp(controller, "{mode: split}");
    }

    /** Like {@link #rampUp(ApiClient)}, with traffic moved in this way. */
    String rampUp(ApiClient controller, String redirect) {
        service.awaitReady(controller);
        // The controller may know the service before its proxy listens.
        awaitServed();
        failedBefore = traffic().failed();
        sentBefore = traffic().sent();
        controller.putPlan(service.name(), rampingPlan(redirect));
        return rampUp(controller, SPARE_ATTEMPTS);
    }

    /** A run that the machine was too busy for ends without an answer, and is started again. */
    private String rampUp(ApiClient controller, int spare) {
        String run = controller.startRun(service.name());
        ShareMeter meter = new ShareMeter();
        await("a share far above the natural one").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(1))
                .untilAsserted(
                        () -> assertThat(meter.sinceLast() >= CLEARLY_RAMPED || (spare > 0 && isOver(controller, run)))
                                .as("%s", controller.get("/runs/" + run)).isTrue());
        if (spare == 0 || !isOver(controller, run)) {
            return run;
        }
        System.out.println("Once more: " + controller.get("/runs/" + run));
        service.awaitReady(controller);
        return rampUp(controller, spare - 1);
    }

    private static boolean isOver(ApiClient controller, String run) {
        return RunEnd.isOver(controller.get("/runs/" + run));
    }

    /** Waits until users get answers. */
    void awaitServed() {
        long before = traffic().succeeded();
        await("answers for users").atMost(Duration.ofMinutes(1)).until(() -> traffic().succeeded() > before + 600);
    }

    /** Waits until the instance gets no more than its natural share, then makes sure that it stays so. */
    void awaitNaturalWithin(Duration limit) {
        Deque<ShareMeter> recent = new ArrayDeque<>();
        await("the natural share").atMost(limit.plus(SAMPLING)).pollDelay(POLL).pollInterval(POLL).until(() -> {
            recent.add(new ShareMeter());
            return recent.size() <= SAMPLES ? Double.NaN : recent.remove().sinceLast();
        }, share -> share < CLEARLY_NOT_RAMPED);
        assertThat(service.shareOfNext(1500, instance())).as("share over the 1500 requests that followed")
                .isBetween(0.20, 0.30);
    }

    @Override
    public void close() {
        service.close();
    }

    /** The share of the requests that arrived at the instance between two looks. */
    private final class ShareMeter {

        private Map<String, Long> last = service.fleet().arrivals();

        double sinceLast() {
            Map<String, Long> now = service.fleet().arrivals();
            long all = total(now) - total(last);
            long sut = now.getOrDefault(instance(), 0L) - last.getOrDefault(instance(), 0L);
            last = now;
            return all == 0 ? Double.NaN : (double) sut / all;
        }

        private long total(Map<String, Long> arrivals) {
            return arrivals.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
