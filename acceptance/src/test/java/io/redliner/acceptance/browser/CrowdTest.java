// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.node.ObjectNode;

/** More services, and a longer run, than anybody looks at: the pages stay usable. */
@Tag("browser")
class CrowdTest {

    private static final List<String> SERVICES = IntStream.range(0, 5_000).mapToObj(number -> "service-" + number)
            .toList();

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    /** Answers as the controller does: the first services with a text in their names, and how many there are. */
    private static void answerFleet(Route route) {
        Map<String, String> asked = Arrays.stream(route.request().url().replaceFirst(".*\\?", "").split("&"))
                .map(one -> one.split("=", 2)).collect(Collectors.toMap(one -> one[0],
                        one -> URLDecoder.decode(one[1], StandardCharsets.UTF_8)));
        List<String> found = SERVICES.stream().filter(name -> name.contains(asked.getOrDefault("search", ""))).toList();
        String items = found.stream().limit(Long.parseLong(asked.get("limit")))
                .map(name -> """
                        {"service": "%s", "verdict": "UNKNOWN", "instances": 3, "capacities": [], "stale": false, "reason": "", \
                        "recent": []}"""
                        .formatted(name))
                .collect(Collectors.joining(","));
        route.fulfill(new Route.FulfillOptions().setContentType("application/json").setBody("""
                {"headroom": 0.3, "growth": 0, "services": %d, "items": [%s]}""".formatted(found.size(), items)));
    }

    @Test
    void five_thousand_services_are_listed_a_page_at_a_time_and_found_by_name() {
        for (Look look : List.of(Look.LIGHT, Look.PHONE)) {
            Visitor visitor = visits.visitor(dashboard.address(), look);
            visitor.context().route("**/sizing/fleet?*", CrowdTest::answerFleet);
            Page page = visitor.open("/").page();
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("All 5,000 services")).click();

            Locator rows = page.locator("table.services tbody tr");
            assertThat(rows).hasCount(100);
            assertThat(page.locator("#services-count")).hasText("100 of 5,000");
            visitor.assertAccessible();
            while (page.locator("#more").isVisible()) {
                int before = rows.count();
                page.locator("#more").click();
                page.waitForCondition(() -> rows.count() > before);
            }
            assertThat(rows).hasCount(SERVICES.size());
            assertThat(page.locator("#services-count")).hasText("5,000");
            visitor.assertNoHorizontalScrolling();

            page.locator("#filter-text").fill("service-4999");
            assertThat(rows).hasCount(1);
            assertThat(rows.first()).containsText("service-4999");
            assertThat(page).hasURL(Pattern.compile(".*/services\\?q=service-4999$"));
            visitor.assertAccessible();
        }
    }

    @Test
    void a_run_of_a_day_has_its_hours_on_the_axis_and_is_zoomed_down_to_a_window() {
        String id = dashboard.finishedOnce();
        ObjectNode run = (ObjectNode) dashboard.controller().get("/runs/" + id);
        Instant ended = Instant.parse(run.get("finishedAt").asString());
        Instant began = ended.minus(Duration.ofDays(1));
        Stream.of("submittedAt", "startedAt").filter(run::has).forEach(name -> run.put(name, began.toString()));
        ObjectNode day = Timelines.ofLength(Duration.ofDays(1), dashboard.controller(), id);
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        visitor.context().route("**/api/v1/runs/" + id, route -> route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json").setBody(run.toString())));
        visitor.context().route("**/timeline?*", route -> route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json").setBody(day.toString())));
        Page page = visitor.open("/runs/" + id).page();
        page.locator("#time-chart").scrollIntoViewIfNeeded();
        assertThat(page.locator("#moment")).containsText("Values are those of");

        List<String> times = page.locator(".ribbon-place .time").allTextContents();
        assertThat(times).as("the axis, since the start").contains("12:00:00").hasSizeBetween(4, 20)
                .doesNotHaveDuplicates();
        visitor.assertNoHorizontalScrolling();
        visitor.assertAccessible();
        visitor.screenshot("run-day");
        page.locator("#time-chart").focus();
        page.keyboard().press("+");
        page.waitForCondition(() -> !page.locator(".ribbon-place .time").allTextContents().equals(times));
    }
}
