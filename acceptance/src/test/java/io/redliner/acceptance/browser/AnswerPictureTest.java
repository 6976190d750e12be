// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** The answer as a picture: it grows while a run is live, and shows afterwards what the API says. */
@Tag("browser")
class AnswerPictureTest {

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private static Locator legend(Page page, String name) {
        return page.locator("#picture .scale-legend li").filter(
                new Locator.FilterOptions().setHasText(Pattern.compile("\\s" + name + "\\s"))).locator("strong");
    }

    /** A rate as pages write it. */
    private static Pattern rate(double value) {
        int digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
        String text = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_EVEN).stripTrailingZeros()
                .toPlainString();
        return Pattern.compile(text.replace(".", "\\.") + "\\sreq/s");
    }

    @Test
    void grows_while_a_run_is_live_on_its_page_and_on_its_card() {
        dashboard.duringRun(run -> {
            Visitor visitor = visits.visitor(dashboard.address(), Look.PHONE).open("/runs/" + run);
            Page page = visitor.page();
            assertThat(legend(page, "natural")).hasText(Pattern.compile("[\\d.]+\\sreq/s"));
            assertThat(legend(page, "estimate")).hasText(Pattern.compile("at least [\\d.]+\\sreq/s"));
            assertThat(page.evaluate("document.getElementById('answer').textContent.includes('at least')"))
                    .as("the words agree with the picture").isEqualTo(true);
            assertThat(page.locator("#picture line.tried-held").first()).isAttached();
            int tried = page.locator("#picture line.tried-held").count();

            page.waitForCondition(() -> page.locator("#picture line.tried-held").count() > tried + 1);

            assertThat(page.locator("#picture polygon.fan")).isAttached();
            assertThat(page.locator("#limit-words")).containsText("Each point is a step");
            visitor.assertNoHorizontalScrolling();
            Page overview = visits.visitor(dashboard.address(), Look.LIGHT).open("/").page();
            assertThat(overview.locator("#live svg.small-scale line.needle").first()).isAttached();
            assertThat(overview.locator("#live").getByText("at least ")).isVisible();
        });
    }

    @Test
    void of_a_run_that_is_over_agrees_with_the_api_and_so_do_the_curve_and_the_worst_of_each_rule() {
        String id = dashboard.finishedOnce();
        JsonNode run = dashboard.controller().get("/runs/" + id);
        JsonNode found = run.path("result");
        Page page = visits.visitor(dashboard.address(), Look.LIGHT).open("/runs/" + id).page();

        assertThat(legend(page, "capacity")).hasText(Pattern.compile("(at least )?" + rate(found.path("capacity")
                .asDouble()).pattern() + ".*"));
        assertThat(legend(page, "natural")).hasText(rate(run.path("naturalShare").asDouble()
                * run.at("/window/serviceRequestsPerSecond").asDouble()));
        assertThat(legend(page, "held")).containsText(rate(found.path("lastGood").asDouble()));
        JsonNode curve = run.path("exceedances");
        assertThat(curve.path("loads").size()).as("loads of the curve").isPositive();
        assertThat(page.locator("#limit-words")).containsText("took longer than 5\u00a0s");
        JsonNode worst = dashboard.controller().get("/runs/" + id + "/report?format=json").at("/rules/0/worst");
        assertThat(page.locator("#rules")).containsText("at worst");
        assertThat(page.locator("#rules")).containsText(worst.path("name").asString());
        Page runs = visits.visitor(dashboard.address(), Look.LIGHT).open("/runs").page();
        assertThat(runs.locator("td svg.small-scale line.needle").first()).isAttached();
    }
}
