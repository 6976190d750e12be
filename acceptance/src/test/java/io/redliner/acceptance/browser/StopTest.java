// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The strip on a run's page: who is hurt, one Stop in reach, and the proof that traffic is natural again. */
@Tag("browser")
class StopTest {

    private static final Look BROAD = new Look(Look.LIGHT.theme(), 2560, 1440);

    /** Notes what moves on a page from now on, and how far. */
    private static final String TELL_OF_SHIFTS = """
            window.moved = [];
            new PerformanceObserver(list => list.getEntries().forEach(entry => window.moved.push(entry.value + ': '
              + entry.sources.map(({node}) => node && (node.id || node.outerHTML || node.textContent)).join(', ').slice(0, 300))))
              .observe({type: 'layout-shift'})""";

    private static final String TOP_OF_CHARTS = "document.getElementById('time-title').getBoundingClientRect().top + scrollY";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private static Locator stop(Page page) {
        return page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Stop").setExact(true));
    }

    private static Locator fact(Page page, String name) {
        return page.locator("#strip-facts div").filter(new Locator.FilterOptions().setHas(
                page.getByText(name, new Page.GetByTextOptions().setExact(true)))).getByRole(AriaRole.DEFINITION);
    }

    @Test
    void one_key_stops_a_run_and_the_proof_says_what_was_measured_when() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/runs/" + run);
            Page page = visitor.page();
            assertThat(stop(page)).isVisible();

            page.keyboard().press("s");

            assertThat(stop(page)).isHidden();
            assertThat(page.locator("#proof")).hasText(Pattern.compile(
                    "Restored: measured as natural \\(25\\s%\\) at \\d\\d:\\d\\d:\\d\\d, "
                            // At most 3 s.
                            + "([0-2](\\.\\d+)?\\ss|3\\ss|[\\d.]+\\sms) after you pressed.*"));
            assertThat(page.locator("#strip-state")).containsText("restored");
            assertThat(dashboard.awaitEnd(run).at("/stopReason/code").asString()).isEqualTo("AbortRequested");
            visitor.assertAccessible();
            visitor.screenshot("run-restored");
        });
    }

    @Test
    void who_is_hurt_what_is_tested_and_stop_stay_in_sight_in_all_windows() {
        dashboard.duringRun(run -> {
            for (Look look : List.of(Look.LIGHT, Look.DARK_PHONE, BROAD)) {
                Visitor visitor = visits.visitor(dashboard.address(), look).open("/runs/" + run);
                Page page = visitor.page();
                assertThat(page.locator("#time-chart")).isVisible();
                JsonNode known = dashboard.controller().get("/runs/" + run);
                assertThat(fact(page, "Natural")).hasText(percent(known, "naturalShare"));
                assertThat(fact(page, "At most")).hasText(percent(known, "maxShare"));
                assertThat(fact(page, "Failing now")).containsText(Pattern.compile("[\\d.]+/s SUT, [\\d.]+/s peers"));
                assertThat(fact(page, "Left at most")).containsText(Pattern.compile("\\d:\\d\\d"));

                page.evaluate("scrollTo(0, document.body.scrollHeight)");

                assertThat(stop(page)).isInViewport();
                assertThat(page.locator("#strip-state")).isInViewport();
                assertThat(fact(page, "Failing now")).isInViewport();
                visitor.assertNoHorizontalScrolling();
                visitor.assertAccessible();
                visitor.screenshot("run-strip");
            }
        });
    }

    private static Pattern percent(JsonNode run, String field) {
        return Pattern.compile(Math.round(100 * run.path(field).asDouble()) + "\\s%");
    }

    @Test
    void nothing_moves_under_the_pointer_while_a_run_is_live() {
        dashboard.duringRun(run -> {
            List<Page> pages = Stream.of(Look.LIGHT, Look.PHONE)
                    .map(look -> visits.visitor(dashboard.address(), look).open("/runs/" + run).page()).toList();
            List<Object> tops = new ArrayList<>();
            for (Page page : pages) {
                assertThat(page.locator("#time-chart")).isVisible();
                assertThat(page.locator("#steps table")).isAttached();
                tops.add(page.evaluate(TOP_OF_CHARTS));
                page.evaluate(TELL_OF_SHIFTS);
                page.route("**/timeline?**", StopTest::withMoreHighlights);
            }

            pages.getFirst().waitForCondition(
                    () -> dashboard.controller().get("/runs/" + run + "/steps").path("items").size() > 4);

            pages.forEach(page -> assertThat(page.evaluate("window.moved")).isEqualTo(List.of()));
            pages.forEach(page -> assertThat(page.locator("#highlights li").nth(7)).isAttached());
            assertThat(pages.stream().map(page -> page.evaluate(TOP_OF_CHARTS)))
                    .as("where the charts begin, in spite of new highlights").isEqualTo(tops);
        });
    }

    /** Adds highlights up to the number that a run has at most. */
    private static void withMoreHighlights(Route route) {
        ObjectNode timeline = (ObjectNode) JsonMapper.shared().readTree(route.fetch().text());
        ArrayNode highlights = timeline.withArray("highlights");
        while (highlights.size() < 8) {
            highlights.add(highlights.get(0));
        }
        route.fulfill(new Route.FulfillOptions().setContentType("application/json").setBody(timeline.toString()));
    }

    @Test
    void a_stop_that_did_not_arrive_is_said_and_can_be_pressed_again() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.PHONE);
            visitor.troubles().expect("status of 503");
            visitor.open("/runs/" + run);
            visitor.context().route("**:abort", route -> route.fulfill(new Route.FulfillOptions().setStatus(503)
                    .setContentType("application/problem+json").setBody("{\"status\": 503, \"title\": \"busy\"}")));
            stop(visitor.page()).click();
            assertThat(visitor.page().getByText("NOT stopped. busy")).isVisible();
            assertThat(visitor.page().locator("#strip-state")).containsText("testing");
            visitor.context().unroute("**:abort");

            stop(visitor.page()).click();

            assertThat(visitor.page().getByText("Restored:")).isVisible();
        });
    }

    @Test
    void a_stop_that_nothing_answers_is_not_taken_for_one_and_can_be_pressed_again() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.PHONE);
            Page page = visitor.open("/runs/" + run).page();
            visitor.context().route("**:abort", route -> {
                // Nothing answers.
            });

            stop(page).click();

            assertThat(page.locator("#proof")).hasText("Stop is being sent; nothing has confirmed it yet.");
            assertThat(stop(page)).isHidden();
            assertThat(page.locator("#stop-problem")).containsText("It is not known whether Stop arrived");
            assertThat(stop(page)).isVisible();
            assertThat(page.locator("#proof")).isEmpty();
            visitor.assertAccessible();
            visitor.context().unroute("**:abort");

            stop(page).click();

            assertThat(page.getByText("Restored:")).isVisible();
        });
    }

    @Test
    void a_run_of_which_nothing_is_known_yet_can_be_stopped() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.PHONE);
            visitor.troubles().expect("ERR_FAILED");
            visitor.context().route("**/api/v1/runs/" + run, Route::abort);
            Page page = visitor.open("/runs/" + run).page();
            assertThat(page.locator("#strip-state")).containsText("not known");

            stop(page).click();

            assertThat(page.locator("#proof")).containsText("The controller has taken it.");
            visitor.context().unroute("**/api/v1/runs/" + run);
            assertThat(page.getByText("Restored:")).isVisible();
        });
    }

    @Test
    void a_state_that_nobody_hears_of_any_more_is_not_known_until_the_page_is_back() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.PHONE);
            visitor.troubles().expect("ERR_FAILED|EventSource|Stream");
            visitor.context().route("**/events?**", Route::abort);
            Page page = visitor.open("/runs/" + run).page();
            assertThat(page.locator("#strip-state")).containsText("not known");
            assertThat(stop(page)).isVisible();
            visitor.assertAccessible();
            visitor.screenshot("run-lost");

            visitor.context().unroute("**/events?**");

            assertThat(page.locator("#strip-state")).containsText("testing");
        });
    }
}
