// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("browser")
class OverviewTest {

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
            Page page = visits.visitor(dashboard.address(), Look.LIGHT).open("/").page();
            Locator card = liveRuns(page).first();

            assertThat(card).containsText(LiveDashboard.SERVICE);
            assertThat(card).containsText(dashboard.service().instance(0));
            assertThat(card.getByRole(AriaRole.METER)).hasCount(2);
            Locator facts = card.getByRole(AriaRole.DEFINITION);
            assertThat(facts.nth(1)).containsText("%");
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
    void says_so_when_nothing_is_tested() {
        for (Look look : List.of(Look.LIGHT, Look.DARK, Look.PHONE)) {
            Visitor visitor = visits.visitor(dashboard.address(), look).open("/");
            assertThat(visitor.page().getByText("Nothing is being tested.")).isVisible();
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("overview-empty");
        }
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
