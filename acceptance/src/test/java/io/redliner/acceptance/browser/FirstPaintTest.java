// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Costs until something is seen, on the pages that have most to show. */
@Tag("browser")
class FirstPaintTest {

    /** The cheapest of so many visits counts. */
    private static final int VISITS = 3;

    /** A stream whose first event has 200 live runs. */
    private static final String LIVE_RUNS = """
            window.EventSource = class {
              static OPEN = 1;
              static CLOSED = 2;
              readyState = 1;
              constructor() {
                this.listeners = {};
                setTimeout(() => {
                  this.onopen?.();
                  const at = new Date().toISOString();
                  const window = {startedAt: at, lengthSeconds: 1, judgement: 'HOLDS', advice: {action: 'GO'}, shareAsked: 0.3,
                    brokenRequests: 1, brokenAtPeersRate: 0.5};
                  const runs = [...Array(200).keys()].map(number => ({id: 'run-' + number, service: 'service-' + number,
                    sut: '10.0.0.' + number + ':8080', plan: 'weekly', profile: 'capacity', phase: 'Ramping', submittedAt: at,
                    askedShare: 0.3, maxShare: 0.6, naturalShare: 0.1, harm: {requests: 3, allowed: 300, used: 0.01},
                    windowSeconds: 1, maxDurationSeconds: 600, limitAt: at, windowEndedAt: at, measuredShare: 0.3,
                    requestsPerSecond: 120, latencyP99Seconds: 0.1, serviceRequestsPerSecond: 400,
                    estimate: {capacity: 200, low: 180, high: 220}, window,
                    rule: {name: 'latency', value: 0.1, threshold: 0.2, unit: 'seconds', utilisation: 0.5, judgement: 'HOLDS'}}));
                  this.listeners.runs?.({data: JSON.stringify({at, live: runs.map(run => run.id), runs, unproven: []})});
                });
              }
              addEventListener(name, listener) { this.listeners[name] = listener; }
              close() { this.readyState = 2; }
            };""";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    /**
     * Returns the milliseconds of a core that the page's thread needs, from its start until an element is there. They are the same on
     * a busy machine, and those of the machine where the bounds were set.
     */
    private double cost(String path, String element, Consumer<Visitor> before) {
        double cost = Double.MAX_VALUE;
        for (int visit = 0; visit < VISITS; visit++) {
            try (Visitor visitor = visits.unwatched(dashboard.address(), Look.LIGHT)) {
                before.accept(visitor);
                visitor.context().addInitScript(whenPainted(element));
                CDPSession browser = counting(visitor.page());
                Page page = visitor.open(path).page();
                page.waitForCondition(() -> (boolean) page.evaluate("Boolean(window.seenAt)"));
                double busy = RunChartsTest.busy(browser);
                cost = Math.min(cost, busy * 50 / longFrame(visitor));
            }
        }
        return cost;
    }

    private static CDPSession counting(Page page) {
        CDPSession browser = page.context().newCDPSession(page);
        browser.send("Performance.enable", RunChartsTest.order("{timeDomain: 'threadTicks'}"));
        return browser;
    }

    private static double longFrame(Visitor visitor) {
        Page empty = visitor.context().newPage();
        CDPSession browser = counting(empty);
        List<Double> frames = new ArrayList<>();
        for (int frame = 0; frame < 5; frame++) {
            double before = RunChartsTest.busy(browser);
            empty.evaluate("() => " + RunChartsTest.LONG_FRAME);
            frames.add(RunChartsTest.busy(browser) - before);
        }
        return frames.stream().sorted().toList().get(frames.size() / 2);
    }

    @Test
    void the_board_with_200_live_runs_is_there_soon() {
        double milliseconds = cost("/", "#live .run-card .state",
                visitor -> visitor.context().addInitScript(LIVE_RUNS));

        assertThat(milliseconds).as("ms of a core until the first card is there").isBetween(20.0, 400.0);
    }

    @Test
    void a_run_of_an_hour_is_there_soon() {
        String run = dashboard.finishedOnce();
        String hour = Timelines.ofLength(Duration.ofHours(1), dashboard.controller(), run).toString();

        double milliseconds = cost("/runs/" + run, "#picture svg",
                visitor -> visitor.context().route("**/timeline?*", route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json").setBody(hour))));

        assertThat(milliseconds).as("ms of a core until the answer's picture is there").isBetween(20.0, 500.0);
    }

    /** Returns a script that notes when the element of a selector is painted for the first time. */
    private static String whenPainted(String selector) {
        return """
                new MutationObserver(() => {
                  if (!window.seenAt && document.querySelector('%s')) requestAnimationFrame(() => { window.seenAt ??= performance.now(); });
                }).observe(document, {childList: true, subtree: true});"""
                .formatted(selector);
    }
}
