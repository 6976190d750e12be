// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What capacity engineers do: size fleets, and write plans. */
@Tag("browser")
class PlanningTest {

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void a_fleet_is_sized_as_one_types() {
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/services/" + LiveDashboard.SERVICE);
        Page page = visitor.page();
        Locator answer = page.getByRole(AriaRole.STATUS, new GetByRoleOptions().setName("Answer"));
        page.getByLabel("Capacity of one, req/s").fill("100");
        page.getByLabel("Target, req/s").fill("1000");

        // 30 % free of 100 requests/s each, and then a third more because one of three domains may be lost.
        assertThat(answer).containsText("15 instances");
        page.getByLabel("Target, req/s").fill("2000");
        assertThat(answer).containsText("30 instances");
        visitor.screenshot("service-sized");

        page.getByLabel("Failure domains").last().fill("many");
        assertThat(page.getByText("No answer to that.")).isVisible();
        visitor.assertAccessible();
        // Of what no text says; of what the service, which was never measured, does not have.
        visitor.troubles().expect("status of 4(00|22).*/sizing");
        visitor.troubles().expect("status of 404");
    }

    @Test
    void the_hours_of_a_schedule_stand_beside_their_zone() {
        dashboard.controller().putPlan("weekly", Plans.weekly(dashboard.service(), DayOfWeek.MONDAY));
        for (String view : List.of("/schedules", "/plans")) {
            Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open(view);

            assertThat(visitor.page().getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("cron"))
                    .first()).containsText("cron 0 9 * * MON UTC");
        }
    }

    @Test
    void a_receiver_that_takes_nothing_is_named_with_its_last_answer() {
        String plan = Plans.quick(dashboard.service()).replace("name: quick", "name: quick-notified")
                + "  notify: [{webhook: \"http://127.0.0.1:1/hook\", on: [started]}]\n";
        dashboard.controller().putPlan("quick-notified", plan);
        String run = dashboard.controller().startRun("quick-notified");
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        await("a message that was given up").atMost(Duration.ofSeconds(30)).until(() -> !dashboard.controller()
                .get("/notifications:unreached").path("items").isEmpty());

        Page page = visitor.open("/notifications?state=dead").page();
        Locator receiver = page.getByRole(AriaRole.ROWHEADER).filter(
                new Locator.FilterOptions().setHasText("127.0.0.1:1 #"));
        assertThat(receiver).isVisible();
        assertThat(page.getByText(Pattern.compile("loopback")).first()).isVisible();
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(Pattern.compile("Send the message"))).first()
                .click();
        button(page, "Send again").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
        visitor.assertAccessible();
        visitor.screenshot("notifications");
        dashboard.controller().abortRun(run, "seen enough");
    }

    @Test
    void a_mistake_in_a_plan_is_shown_at_its_line() {
        dashboard.controller().putPlan("quick", Plans.quick(dashboard.service()));
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/plans/quick");
        visitor.troubles().expect("status of 4(00|22)");
        Page page = visitor.page();
        Locator text = page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Plan as YAML"));
        assertThat(text).hasValue(Pattern.compile("apiVersion"));

        text.fill(text.inputValue() + "colour: red\n");

        Locator mistakes = page.getByRole(AriaRole.LIST, new GetByRoleOptions().setName("Mistakes"));
        assertThat(mistakes).containsText(Pattern.compile("Line \\d+, column 1.*colour"));
        visitor.assertAccessible();
        visitor.screenshot("plan-mistake");
        visitor.page().onDialog(dialog -> dialog.accept());
    }

    @Test
    void holidays_that_block_nothing_are_named_where_they_are_listed_and_beside_a_plan_that_needs_them() {
        dashboard.controller().putCalendar("holidays", """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//test//EN
                BEGIN:VEVENT
                UID:a
                DTSTAMP:20260101T000000Z
                DTSTART;VALUE=DATE:20200501
                RRULE:FREQ=YEARLY
                TRANSP:TRANSPARENT
                SUMMARY:May Day
                END:VEVENT
                END:VCALENDAR
                """.replace("\n", "\r\n"));
        dashboard.controller().putPlan("quick", Plans.quick(dashboard.service()));
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/schedules");
        assertThat(visitor.page().locator("#calendars")).containsText("event 'May Day' is marked as free");
        assertThat(visitor.page().locator("#calendars")).containsText("0 busy, 1 free");
        visitor.assertAccessible();
        visitor.screenshot("schedules-calendar");

        Page page = visitor.open("/plans/quick").page();
        Locator text = page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Plan as YAML"));
        assertThat(text).hasValue(Pattern.compile("apiVersion"));
        text.fill(text.inputValue() + "  schedule: {interval: 6h, except: [holidays]}\n");

        Locator notes = page.getByRole(AriaRole.LIST, new GetByRoleOptions().setName("Notes"));
        assertThat(notes).containsText("calendar holidays: event 'May Day' is marked as free");
        visitor.assertAccessible();
        visitor.page().onDialog(dialog -> dialog.accept());
    }

    @Test
    void a_dry_run_says_what_would_be_tested_and_touches_nothing() {
        dashboard.controller().putPlan("quick", Plans.quick(dashboard.service()));
        int before = dashboard.controller().get("/runs").path("items").size();
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/plans/quick");
        Page page = visitor.page();
        assertThat(page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Plan as YAML")))
                .hasValue(Pattern.compile("apiVersion"));

        button(page, "Dry run").click();

        assertThat(page.getByText("Nothing was touched.")).containsText(dashboard.service().instance(0));
        visitor.assertAccessible();
        visitor.screenshot("plan-dry-run");
        assertThat(dashboard.controller().get("/runs").path("items")).hasSize(before);
    }

    @Test
    void a_plan_of_a_megabyte_can_be_looked_at_and_is_refused_with_words() {
        dashboard.controller().putPlan("quick", Plans.quick(dashboard.service()));
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/plans/quick");
        visitor.troubles().expect("status of 4(00|13|22)");
        Page page = visitor.page();
        Locator text = page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Plan as YAML"));
        assertThat(text).hasValue(Pattern.compile("apiVersion"));

        // Typing it would keep the browser busy for minutes; a file that is dropped comes at once.
        text.evaluate(
                "(area, more) => { area.value += more; area.dispatchEvent(new Event('input', {bubbles: true})); }",
                "# a long comment in a plan\n".repeat(40_000));
        assertThat(page.getByText("This text is long")).isVisible();
        button(page, "Check").click();

        assertThat(page.locator("#check-state")).hasClass("problem");
        assertThat(page.locator("#check-state")).not().isEmpty();
        visitor.page().onDialog(dialog -> dialog.accept());
    }
}
