// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What people on call do with runs: start one, watch it, end it, compare. */
@Tag("browser")
class RunJourneyTest {

    private static final Pattern RUN = Pattern.compile(".*/runs/[^/]+$");

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(name).setExact(true));
    }

    private static String runOf(Page page) {
        return page.url().replaceAll(".*/", "");
    }

    private JsonNode awaitAborted(String run, String reason) {
        JsonNode ended = dashboard.awaitEnd(run);
        assertThat(ended.path("stopReason").path("detail").asString()).contains(reason);
        assertThat(dashboard.service().shareOfNext(600, dashboard.service().instance(0)))
                .as("share of the requests that followed").isBetween(0.15, 0.35);
        return ended;
    }

    @Test
    void a_run_is_started_from_its_plan_watched_and_aborted_and_traffic_is_restored() {
        dashboard.controller().putPlan("ramping", Plans.ramping(dashboard.service()));
        Page page = visits.visitor(dashboard.address(), Look.LIGHT).open("/plans").page();
        page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("ramping").setExact(true)).click();
        button(page, "Start a run").click();
        button(page, "Start").click();

        assertThat(page).hasURL(RUN);
        assertThat(page.getByRole(AriaRole.HEADING, new GetByRoleOptions().setLevel(1)))
                .hasText("Run of " + LiveDashboard.SERVICE);
        assertThat(page.getByText("Ramping").first()).isVisible();
        Locator windows = page.getByText(Pattern.compile("\\d+ windows, "));
        String before = windows.innerText();
        assertThat(windows).not().hasText(before);

        button(page, "Stop").click();

        assertThat(button(page, "Stop")).isHidden();
        JsonNode ended = awaitAborted(runOf(page), "stopped by local, no reason given");
        assertThat(ended.path("restore").path("seconds").asDouble()).isLessThan(60);
        assertThat(page.getByText("natural").first()).isVisible();
        assertThat(page.getByText("Restoring → Finished")).isVisible();
        assertThat(decisions(page)).as("numbers of the decisions that are shown").hasSizeGreaterThan(3)
                .doesNotHaveDuplicates().isSortedAccordingTo(Comparator.reverseOrder());
    }

    private static List<Integer> decisions(Page page) {
        return page.locator("[data-sequence]").all().stream()
                .map(decision -> Integer.valueOf(decision.getAttribute("data-sequence"))).toList();
    }

    @Test
    void all_of_it_works_by_keyboard_alone() {
        dashboard.controller().putPlan("ramping", Plans.ramping(dashboard.service()));
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/");
        Page page = visitor.page();
        visitor.tabTo("link", "Plans");
        page.keyboard().press("Enter");
        assertThat(page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("ramping").setExact(true))).isVisible();
        visitor.tabTo("link", "ramping");
        page.keyboard().press("Enter");
        assertThat(button(page, "Start a run")).isEnabled();
        assertThat(page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Plan as YAML"))).isEnabled();
        visitor.tabTo("button", "Start a run");
        page.keyboard().press("Enter");
        assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
        page.keyboard().press("Enter");
        assertThat(page).hasURL(RUN);
        assertThat(button(page, "Stop")).isVisible();

        page.keyboard().press("s");

        assertThat(button(page, "Stop")).isHidden();
        awaitAborted(runOf(page), "no reason given");
        visitor.tabTo("textbox", "Why? For the audit log, if you like");
        page.keyboard().type("users complained");
        page.keyboard().press("Enter");
        assertThat(page.getByText("The audit log has it.")).isVisible();
        assertThat(dashboard.controller().get("/audit?limit=50").toString()).contains("users complained");
    }

    @Test
    void two_runs_are_compared_on_the_same_axes_at_an_address_that_can_be_shared() {
        String older = dashboard.finishedOnce();
        String newer = dashboard.abortedRun();
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/runs/" + newer);
        Page page = visitor.page();
        Locator others = page.getByLabel("Compare with");
        assertThat(others.getByRole(AriaRole.OPTION).nth(1)).isAttached();

        others.selectOption(new SelectOption().setValue(older));

        assertThat(page).hasURL(Pattern.compile(".*compare=" + older));
        Locator comparison = page.locator("#comparison");
        assertThat(comparison).not().isEmpty();
        String compared = comparison.textContent();
        visitor.assertNoHorizontalScrolling();
        visitor.assertAccessible();
        visitor.screenshot("run-compared");
        Page shared = visits.visitor(dashboard.address(), Look.DARK).open("/runs/" + newer + "?compare=" + older)
                .page();
        assertThat(shared.locator("#comparison")).hasText(compared);
    }

    @Test
    void a_run_that_vanishes_under_the_viewer_is_said_to_be_gone() {
        String run = dashboard.finishedOnce();
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        visitor.troubles().expect("status of 404");
        visitor.open("/runs/" + run);
        assertThat(visitor.page().getByText("Over time")).isVisible();
        visitor.context().route("**/api/v1/runs/" + run + "**", route -> route.fulfill(
                new Route.FulfillOptions().setStatus(404).setContentType(
                        "application/problem+json").setBody("{\"status\": 404, \"title\": \"No such run\"}")));

        visitor.page().reload();

        assertThat(visitor.page().getByRole(AriaRole.ALERT).filter(new Locator.FilterOptions().setHasText(Pattern
                .compile("\\S")))).isVisible();
        visitor.assertAccessible();
        visitor.screenshot("run-gone");
    }

    @Test
    void nothing_is_asked_of_a_run_that_is_gone_whatever_was_not_found_first() {
        String run = dashboard.finishedOnce();
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        visitor.troubles().expect("status of 404");
        visitor.open("/runs/" + run);
        Page page = visitor.page();
        assertThat(page.locator("#steps table")).isVisible();
        Route.FulfillOptions gone = new Route.FulfillOptions().setStatus(404).setContentType("application/problem+json")
                .setBody("{\"status\": 404, \"title\": \"No such run\"}");
        visitor.context().route("**/api/v1/runs/" + run + "/steps", route -> route.fulfill(gone));
        page.waitForResponse("**/api/v1/runs/" + run, () -> refreshSteps(page));
        assertThat(page.locator("#steps table")).isVisible();
        assertThat(page.locator("#gone")).isHidden();
        visitor.context().route("**/api/v1/runs/" + run + "**", route -> route.fulfill(gone));

        refreshSteps(page);

        assertThat(page.locator("#gone")).isVisible();
        List<String> asked = new ArrayList<>();
        page.onRequest(request -> asked.add(request.url()));
        refreshSteps(page);
        // The shell goes on; it asks for the kill switch every few seconds.
        page.waitForResponse("**/api/v1/kill-switch", () -> {});
        page.waitForResponse("**/api/v1/kill-switch", () -> {});
        assertThat(asked).isNotEmpty().noneMatch(url -> url.contains("/api/v1/runs/" + run));
    }

    /** Asks again for all that the page shows, as after a connection that was lost. */
    private static void refreshSteps(Page page) {
        page.evaluate("import('/js/api.js').then(api => api.refreshAll())");
    }
}
