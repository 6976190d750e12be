// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import io.redliner.standalone.stack.StackComponent;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A controller that stops under the viewers, and comes back. */
@Tag("browser")
class LostConnectionTest {

    /** What a browser and htmx write into the console when a server is gone, or is not ready yet. */
    private static final String SERVER_GONE = "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING"
            + "|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|(status of|Error Code) 503|Stream|EventSource"
            + "|console: htmx:(sendError|afterRequest),";

    /** Until a page that asks every few seconds, and waits longer after failures, has asked again. */
    private static final double NEXT_TRY_MS = 60_000;

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    @Test
    void is_said_no_old_number_is_shown_as_live_and_the_page_reconnects_by_itself() {
        dashboard.duringRun(run -> {
            List<Visitor> visitors = List.of(visits.visitor(dashboard.address(), Look.LIGHT).open("/"),
                    visits.visitor(dashboard.address(), Look.DARK).open("/"));
            visitors.forEach(visitor -> {
                visitor.troubles().expect(SERVER_GONE);
                assertThat(liveRun(visitor.page())).isVisible();
            });
            dashboard.stack().stop(StackComponent.CONTROLLER);
            try {
                for (Visitor visitor : visitors) {
                    assertThat(lost(visitor.page())).isVisible(new IsVisibleOptions().setTimeout(NEXT_TRY_MS));
                    assertThat(lost(visitor.page())).containsText("redirectors give all traffic back by themselves");
                    assertThat(visitor.page().getByText("these numbers are old")).isVisible();
                    visitor.assertAccessible();
                    visitor.screenshot("overview-lost");
                }
            } finally {
                dashboard.stack().start(StackComponent.CONTROLLER);
            }
            for (Visitor visitor : visitors) {
                assertThat(lost(visitor.page())).hasCount(0, new HasCountOptions().setTimeout(NEXT_TRY_MS));
                assertThat(visitor.page().getByText("Nothing is being tested.")).isVisible();
            }
        });
    }

    @Test
    void a_reason_that_one_types_while_the_controller_dies_is_kept_and_can_be_sent_afterwards() {
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT).open("/");
        visitor.troubles().expect(SERVER_GONE);
        Page page = visitor.page();
        page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Kill switch")).click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        Locator reason = dialog.getByRole(AriaRole.TEXTBOX);
        Locator stop = dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Stop everything"));
        reason.fill("checkout fails for all users");
        dashboard.stack().stop(StackComponent.CONTROLLER);
        try {
            stop.click();
            assertThat(dialog).containsText("The controller does not answer.");
            assertThat(lost(page)).isVisible(new IsVisibleOptions().setTimeout(NEXT_TRY_MS));
            assertThat(reason).hasValue("checkout fails for all users");
        } finally {
            dashboard.stack().start(StackComponent.CONTROLLER);
        }
        assertThat(lost(page)).hasCount(0, new HasCountOptions().setTimeout(NEXT_TRY_MS));

        stop.click();

        assertThat(dialog).isHidden();
        assertThat(page.getByText("The kill switch is engaged")).containsText("checkout fails for all users");
    }

    private static Locator liveRun(Page page) {
        return page.getByText("Ramping").first();
    }

    private static Locator lost(Page page) {
        return page.getByText("Connection lost", new Page.GetByTextOptions()).first();
    }
}
