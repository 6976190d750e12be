// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitUntilState;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("browser")
class OverviewTest {

    /** Keeps events from all listeners while {@code window.deaf} is true. */
    private static final String DEAF_AT_WILL = """
            const listen = EventSource.prototype.addEventListener;
            EventSource.prototype.addEventListener = function (name, listener) {
              listen.call(this, name, event => window.deaf || listener(event));
            };""";

    /** Adds to each event what {@code window.unproven} has. */
    private static final String ADD_UNPROVEN = """
            const listen = EventSource.prototype.addEventListener;
            EventSource.prototype.addEventListener = function (name, listener) {
              listen.call(this, name, event => listener(name !== 'runs' ? event : new MessageEvent(name,
                {data: JSON.stringify({...JSON.parse(event.data), unproven: window.unproven || []})})));
            };""";

    private static final String UNPROVEN = """
            window.unproven = [['NOT_NATURAL', 'CONTRADICTED', 'cart'], ['UNKNOWN', 'BY_EXPIRY', 'shop'],
              ['NATURAL', 'ACKNOWLEDGED', 'search']].map(([traffic, proof, service]) => ({id: 'run-of-' + service, service,
                sut: '10.0.0.1:8080', phase: 'Finished', finishedAt: new Date().toISOString(), naturalShare: 0.25,
                restore: {traffic, proof, seconds: 5, detail: 'what is known of ' + service}}));""";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private static Locator liveRuns(Page page) {
        return page.getByRole(AriaRole.LIST, new GetByRoleOptions().setName(Pattern.compile("^Live runs")))
                .getByRole(AriaRole.LISTITEM);
    }

    @Test
    void shows_a_live_run_with_its_share_load_latency_and_harm_as_they_change() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
            withoutEndedRuns(visitor);
            Page page = visitor.open("/").page();
            Locator card = liveRuns(page).first();

            assertThat(card).containsText(LiveDashboard.SERVICE);
            assertThat(page.getByText("No run has ended yet.")).isVisible();
            assertThat(page.getByText("Three steps to the first capacity")).isHidden();
            assertThat(card).containsText(dashboard.service().instance(0));
            assertThat(card).containsText("testing");
            assertThat(card).containsText(Pattern.compile("natural 25\\s%, at most 60\\s%"));
            assertThat(card.getByRole(AriaRole.METER)).hasCount(1);
            Locator facts = card.getByRole(AriaRole.DEFINITION);
            assertThat(facts.nth(0)).containsText(Pattern.compile("\\d:\\d\\d"));
            assertThat(facts.nth(1)).containsText(Pattern.compile("[\\d.]+/s SUT, [\\d.]+/s peers"));
            assertThat(facts.nth(2)).containsText("/s");
            String before = facts.allInnerTexts().toString();
            page.waitForCondition(() -> !facts.allInnerTexts().toString().equals(before));
        });
    }

    @Test
    void is_fit_for_all_in_all_windows_while_a_run_is_live() {
        dashboard.duringRun(run -> {
            for (Look look : List.of(Look.LIGHT, Look.DARK, Look.PHONE, Look.DARK_PHONE, Look.WALL)) {
                Visitor visitor = visits.visitor(dashboard.address(), look).open("/");
                assertThat(liveRuns(visitor.page())).hasCount(1);
                assertThat(visitor.page().getByRole(AriaRole.ROWHEADER,
                        new GetByRoleOptions().setName(LiveDashboard.SERVICE).setExact(true))).isVisible();
                visitor.assertNoHorizontalScrolling();
                visitor.assertAccessible();
                visitor.screenshot("overview");
            }
        });
    }

    @Test
    void stop_on_a_card_stops_that_run_and_the_card_stays_with_the_proof_and_takes_the_reason() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.PHONE).open("/");
            Locator card = liveRuns(visitor.page()).first();

            card.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Stop " + LiveDashboard.SERVICE))
                    .click();

            assertThat(card).containsText(Pattern.compile("Restored: measured as natural \\(25\\s%\\) at "
                    + "\\d\\d:\\d\\d:\\d\\d, [\\d.]+\\s(s|ms) after you pressed"));
            assertThat(card).containsText("restored");
            assertThat(dashboard.awaitEnd(run).at("/stopReason/code").asString()).isEqualTo("AbortRequested");
            card.getByLabel("Why?").fill("seen from the board");
            card.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Save reason")).click();
            assertThat(card.getByText("The audit log has it.")).isVisible();
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("overview-restored");
        });
    }

    @Test
    void a_stop_on_a_card_that_nothing_answers_is_not_taken_for_one_and_can_be_pressed_again() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/");
            Locator card = liveRuns(visitor.page()).first();
            Locator stop = card.getByRole(AriaRole.BUTTON,
                    new Locator.GetByRoleOptions().setName("Stop " + LiveDashboard.SERVICE));
            visitor.context().route("**:abort", route -> {
                // Nothing answers.
            });
            stop.click();
            assertThat(card).containsText("It is not known whether Stop arrived");
            visitor.context().unroute("**:abort");

            stop.click();

            assertThat(card).containsText("Restored:");
        });
    }

    @Test
    void a_card_whose_stop_got_no_answer_stays_with_the_proof() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
            visitor.context().route("**:abort", route -> {
                // Its answer is lost.
            });
            Locator card = liveRuns(visitor.open("/").page()).first();
            card.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Stop " + LiveDashboard.SERVICE))
                    .click();
            assertThat(card).containsText("It is not known whether Stop arrived");

            dashboard.controller().abortRun(run, "as the lost stop did");

            assertThat(card).containsText("Restored: measured as natural");
            assertThat(card).not().containsText("It is not known whether Stop arrived");
        });
    }

    @Test
    void a_service_says_its_capacity_how_old_and_how_sure_it_is_and_the_last_hours_are_on_one_line() {
        String run = dashboard.finishedOnce();
        dashboard.furnish();
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/");
        Page page = visitor.page();
        Locator row = page.getByRole(AriaRole.ROW, new GetByRoleOptions().setName(LiveDashboard.SERVICE)).first();

        assertThat(row.locator("[data-label='Capacity of one']")).containsText("req/s");
        assertThat(row.locator("[data-label='How sure']"))
                .hasText(Pattern.compile("sure|doubtful|cannot be known"));
        assertThat(row.locator("[data-label='Found']")).containsText("ago");
        assertThat(row.locator("[data-label='Next run']")).containsText("in ");
        assertThat(page.locator(".activity a[href='/runs/" + run + "']")).hasCount(1);
        assertThat(page.locator(".activity .deployment")).not().hasCount(0);
        page.getByText(Pattern.compile("^As a list")).click();
        assertThat(page.getByText("version 2.4.1").first()).isVisible();
        visitor.assertAccessible();

        page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("Services").setExact(true)).click();
        page.getByLabel("Name").fill("no-such-service");
        assertThat(page.getByText("No service has this in its name.")).isVisible();
        page.getByLabel("Name").fill(LiveDashboard.SERVICE.substring(0, 4));
        assertThat(page.getByRole(AriaRole.ROWHEADER, new GetByRoleOptions().setName(LiveDashboard.SERVICE)
                .setExact(true))).isVisible();
    }

    @ParameterizedTest
    @CsvSource({"/services, services.js, No service has this in its name.",
        "/plans, plans.js, plans fits."})
    void what_is_typed_before_the_page_is_ready_is_looked_for(String path, String script, String found) {
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        CompletableFuture<Route> held = new CompletableFuture<>();
        visitor.context().route("**/js/" + script, held::complete);
        Page page = visitor.page();
        page.navigate(dashboard.address() + path,
                new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));

        page.locator("#filter-text").fill("no-such-name");
        page.waitForCondition(held::isDone);
        held.join().resume();

        assertThat(page.getByText(found)).isVisible();
        assertThat(page.locator("#filter-text")).hasValue("no-such-name");
    }

    @Test
    void where_nothing_was_tested_yet_three_steps_lead_to_the_first_capacity() {
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        withoutEndedRuns(visitor);
        visitor.open("/");

        Locator guide = visitor.page().getByRole(AriaRole.REGION,
                new GetByRoleOptions().setName("Three steps to the first capacity"));
        assertThat(guide.locator("ol > li")).hasCount(3);
        assertThat(guide).containsText("./redliner run deploy/examples/first-service/plan.yaml --watch");
        visitor.assertNoHorizontalScrolling();
        visitor.assertAccessible();
        visitor.screenshot("overview-first");
    }

    private static void withoutEndedRuns(Visitor visitor) {
        visitor.context().route(Pattern.compile(".*/api/v1/runs\\?.*"), route -> route.fulfill(
                new Route.FulfillOptions().setContentType("application/json").setBody("{\"items\": []}")));
    }

    @Test
    void says_so_when_nothing_is_tested() {
        for (Look look : List.of(Look.LIGHT, Look.DARK, Look.PHONE)) {
            Visitor visitor = visits.visitor(dashboard.address(), look).open("/");
            assertThat(visitor.page().getByText("Nothing is being tested.")).isVisible();
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("overview-empty");
        }
    }

    /** A host that vanishes ends no connection: the browser goes on to wait, and no error tells of it. */
    @Test
    void a_stream_that_falls_silent_leaves_nothing_that_looks_live() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
            visitor.context().addInitScript(DEAF_AT_WILL);
            Page page = visitor.setClock(Clock.systemUTC().instant()).open("/").page();
            assertThat(liveRuns(page).first()).containsText("testing");
            page.evaluate("window.deaf = true");

            visitor.context().clock().fastForward(20_000);

            assertThat(page.getByText("these numbers are old")).isVisible();
            assertThat(liveRuns(page).first()).containsText("not known");
            dashboard.controller().abortRun(run, "while no answer arrived");
            dashboard.awaitEnd(run);
            page.evaluate("window.deaf = false");
            assertThat(page.getByText("Nothing is being tested.")).isVisible();
            page.evaluate("window.deaf = true");

            visitor.context().clock().fastForward(20_000);

            assertThat(page.getByText("these numbers are old")).isVisible();
            assertThat(page.getByText("Nothing is being tested.")).isHidden();
        });
    }

    @Test
    void a_run_that_ends_leaves_the_live_ones_and_is_among_the_latest() {
        dashboard.duringRun(run -> {
            Page page = visits.visitor(dashboard.address(), Look.LIGHT).open("/").page();
            assertThat(liveRuns(page)).hasCount(1);

            dashboard.controller().abortRun(run, "seen enough");

            assertThat(liveRuns(page)).hasCount(0);
            assertThat(page.getByText("Nothing is being tested.")).isVisible();
            assertThat(page.getByText("seen enough").first()).isVisible();
        });
    }

    @Test
    void a_run_that_ended_unproven_stays_on_the_board_until_somebody_takes_it_off() {
        for (Look look : List.of(Look.LIGHT, Look.DARK_PHONE)) {
            Visitor visitor = visits.visitor(dashboard.address(), look);
            visitor.context().addInitScript(ADD_UNPROVEN + UNPROVEN);
            // As somebody may have left it: it takes no run off the board.
            visitor.open("/plans").page().evaluate("localStorage.setItem('unproven-seen', 'no JSON')");
            Page page = visitor.open("/").page();
            Locator unproven = page.getByRole(AriaRole.LIST,
                    new GetByRoleOptions().setName("Ended, and traffic was not measured as natural"))
                    .getByRole(AriaRole.LISTITEM);

            assertThat(unproven).hasCount(3);
            assertThat(unproven.nth(0)).containsText("NOT restored");
            assertThat(unproven.nth(0)).containsText("what is known of cart");
            assertThat(unproven.nth(1)).containsText("not known whether restored");
            assertThat(unproven.nth(2)).containsText("restored, not measured");
            assertThat(liveRuns(page)).hasCount(0);
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("overview-unproven");
            page.getByRole(AriaRole.BUTTON,
                    new GetByRoleOptions().setName("Take the run of cart off this board")).click();
            assertThat(unproven).hasCount(2);
            page.reload();
            assertThat(unproven).hasCount(2);
            page.evaluate("window.unproven = []");
            assertThat(unproven).hasCount(0);
        }
    }

    @Test
    void a_run_that_is_taken_off_the_board_takes_no_alarm_with_it_but_its_own() {
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        visitor.context().addInitScript("localStorage.setItem('unproven-seen', '[\"r-1\"]')");
        visitor.context().route("**/api/v1/services?alarmed=true", route -> route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json").setBody("""
                        {"items": [{"name": "shop", "alarms": [
                          "When run r-1 of shop was over, the traffic of a:1 was measured, and it was not natural.",
                          "When run r-10 of shop was over, the traffic of a:1 was measured, and it was not natural.",
                          "Redirector east moves the traffic of shop for run r-1, which is not live here."]}]}""")));
        Page page = visitor.open("/").page();

        assertThat(page.locator("[data-view=alarms] .problem"))
                .containsText(
                        new String[]{"When run r-10 of shop", "Redirector east moves the traffic of shop for run r-1"});
    }

    @Test
    void a_doubtful_capacity_is_doubtful_in_the_last_hours_too() {
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        visitor.context().route("**/api/v1/activity", route -> route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json").setBody("""
                        {"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z", "complete": true, "freezes": [],
                         "deployments": [], "runs": [%s, %s, %s]}""".formatted(span("a", "SURE"), span("b", "DOUBTFUL"),
                        span("c", "CANNOT_BE_KNOWN")))));
        Page page = visitor.open("/").page();

        assertThat(page.locator(".activity a[href='/runs/a'] rect")).hasClass("run good");
        assertThat(page.locator(".activity a[href='/runs/b'] rect")).hasClass("run warn");
        assertThat(page.locator(".activity a[href='/runs/c'] rect")).hasClass("run warn");
        page.getByText(Pattern.compile("^As a list")).click();
        assertThat(page.locator(".activity-list .badge.warn")).hasText(new String[]{"capacity found, doubtful",
            "capacity found, how sure cannot be known"});
    }

    private static String span(String id, String certainty) {
        return """
                {"id": "%s", "service": "shop", "phase": "Finished", "outcome": "CAPACITY_FOUND", "certainty": "%s",
                 "from": "2026-01-01T12:00:00Z", "to": "2026-01-01T12:30:00Z"}""".formatted(id, certainty);
    }

    @Test
    void the_kill_switch_is_in_reach_by_one_key_ends_everything_and_is_released_again() {
        dashboard.duringRun(run -> {
            Page page = visits.visitor(dashboard.address(), Look.LIGHT).open("/").page();
            assertThat(liveRuns(page)).hasCount(1);

            page.keyboard().press("k");
            Locator dialog = page.getByRole(AriaRole.DIALOG);
            assertThat(dialog).isVisible();
            page.keyboard().press("Enter");

            assertThat(dialog).isHidden();
            assertThat(page.getByText("The kill switch is engaged")).containsText("no reason given");
            assertThat(liveRuns(page)).hasCount(0);
            assertThat(dashboard.awaitEnd(run).path("stopReason").path("code").asString()).isEqualTo("KillSwitch");
            assertThat(dashboard.service().shareOfNext(600, dashboard.service().instance(0))).isBetween(0.15, 0.35);

            assertThat(page.getByText("nothing begins until the kill switch is released")).isVisible();
            page.keyboard().press("k");
            // The key that stops everything releases nothing.
            assertThat(dialog).isHidden();
            page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("Release kill switch")).click();
            assertThat(page.getByText("Engaged: nothing begins")).isVisible();
            page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Reason, for the audit log"))
                    .fill("drill is over");
            page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Release it")).click();
            assertThat(page.getByText("Not engaged: runs may begin")).isVisible();
            assertThat(page.getByText("The kill switch is engaged")).hasCount(0);
            assertThat(dashboard.controller().get("/kill-switch").path("engaged").asBoolean()).isFalse();
        });
    }

    @Test
    void the_kill_switch_does_nothing_when_it_is_cancelled() {
        Visitor visitor = visits.visitor(dashboard.address(), Look.DARK).open("/");
        Page page = visitor.page();
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Kill switch")).click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        visitor.assertAccessible();
        visitor.screenshot("kill-switch");

        page.getByLabel("Reason").fill("on second thoughts");
        page.keyboard().press("Escape");

        assertThat(dialog).isHidden();
        assertThat(dashboard.controller().get("/kill-switch").path("engaged").asBoolean()).isFalse();
    }
}
