// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The time until something is seen, on the pages that have most to show. */
@Tag("browser")
class FirstPaintTest {

    /** The shortest of so many visits counts: a busy machine makes some of them longer. */
    private static final int VISITS = 6;

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

    /** Notes when the element of a selector is there for the first time, ms since the navigation. */
    private static final String TELL_WHEN = """
            new MutationObserver(() => {
              if (!window.seenAt && document.querySelector('%s')) requestAnimationFrame(() => { window.seenAt ??= performance.now(); });
            }).observe(document, {childList: true, subtree: true});""";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    /** Returns the milliseconds until the first paint, and until an element is there, of the quickest of some visits. */
    private double[] quickest(String path, String element, Consumer<Visitor> before) {
        double[] quickest = {Double.MAX_VALUE, Double.MAX_VALUE};
        for (int visit = 0; visit < VISITS; visit++) {
            try (Visitor visitor = visits.unwatched(dashboard.address(), Look.LIGHT)) {
                before.accept(visitor);
                visitor.context().addInitScript(TELL_WHEN.formatted(element));
                Page page = visitor.open(path).page();
                page.waitForCondition(() -> (boolean) page.evaluate("Boolean(window.seenAt)"));
                quickest[0] = Math.min(quickest[0], ((Number) page
                        .evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
                        .doubleValue());
                quickest[1] = Math.min(quickest[1], ((Number) page.evaluate("window.seenAt")).doubleValue());
            }
        }
        return quickest;
    }

    @Test
    void the_board_with_200_live_runs_is_painted_soon() {
        double[] milliseconds = quickest("/", "#live .run-card .state",
                visitor -> visitor.context().addInitScript(LIVE_RUNS));

        assertThat(milliseconds[0]).as("ms until the first paint").isLessThanOrEqualTo(400);
        assertThat(milliseconds[1]).as("ms until the first card is there").isLessThanOrEqualTo(1000);
    }

    @Test
    void a_run_of_an_hour_is_painted_soon() {
        String run = dashboard.finishedOnce();
        String hour = Timelines.hour(dashboard.controller(), run).toString();

        double[] milliseconds = quickest("/runs/" + run, ".panel canvas",
                visitor -> visitor.context().route("**/timeline?*", route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json").setBody(hour))));

        assertThat(milliseconds[0]).as("ms until the first paint").isLessThanOrEqualTo(500);
        assertThat(milliseconds[1]).as("ms until the first chart is there").isLessThanOrEqualTo(1500);
    }
}
