// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

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

    @Test
    void says_what_is_tested_right_now_to_everybody() {
        dashboard.startRampingRun();

        for (Look look : List.of(Look.LIGHT, Look.DARK, Look.PHONE, Look.WALL)) {
            Visitor visitor = visits.visitor(dashboard.address(), look).open("/");

            assertThat(visitor.page()).hasTitle(Pattern.compile("RedLiner"));
            assertThat(visitor.page().getByRole(AriaRole.HEADING, new GetByRoleOptions().setLevel(1)))
                    .isVisible();
            assertThat(visitor.page().getByText("shop-backend").first()).isVisible();
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("overview");
        }
    }
}
