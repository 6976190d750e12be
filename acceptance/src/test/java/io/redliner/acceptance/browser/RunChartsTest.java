// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The highlights of a run, which leads into its charts, and what people do with these. */
@Tag("browser")
class RunChartsTest {

    /** Takes a core 50 ms where this bound was set. A frame that takes longer is seen as a jerk. */
    static final String LONG_FRAME = """
            { let sum = 0; for (let i = 0; i < 28e6; i++) sum += Math.sqrt(i); window.sum = sum; }""";

    private static final String NEXT_FRAME = "new Promise(done => requestAnimationFrame("
            + "() => requestAnimationFrame(done)))";

    private static final int TURNS = 40;

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private Visitor open(String run, Look look) {
        Visitor visitor = visits.visitor(dashboard.address(), look).open("/runs/" + run);
        assertThat(visitor.page().locator("#time-chart")).isVisible();
        // Their library is not loaded before they are in sight.
        visitor.page().locator("#time-chart").scrollIntoViewIfNeeded();
        assertThat(visitor.page().locator("#time-chart canvas").first()).isVisible();
        assertThat(visitor.page().locator("#moment")).containsText("Values are those of");
        return visitor;
    }

    /** The times on the top axis. */
    private static String axis(Page page) {
        return String.join(" ", page.locator(".ribbon-place .time").allTextContents());
    }

    private static void awaitAxis(Page page, String other) {
        page.waitForCondition(() -> !axis(page).equals(other));
    }

    private static BoundingBox plot(Page page) {
        return page.locator(".panel .plot").first().boundingBox();
    }

    @Test
    void the_highlights_is_the_api_s_and_each_sentence_leads_to_its_moment_by_keyboard_too() {
        String run = dashboard.finishedOnce();
        List<JsonNode> highlights = List
                .copyOf(dashboard.controller().get("/runs/" + run + "/timeline").get("highlights")
                        .values());
        Visitor visitor = open(run, Look.LIGHT);
        Page page = visitor.page();

        assertThat(page.locator("#highlights li bdi"))
                .hasText(highlights.stream().map(one -> one.get("text").asString()).toArray(String[]::new));
        String whole = axis(page);
        page.locator("#highlights a").nth(1).focus();
        page.keyboard().press("Enter");

        assertThat(page.locator("#time-chart")).isFocused();
        assertThat(page).hasURL(Pattern.compile(".*[?&]at=.*"));
        assertThat(page.locator(".cursor").first()).isVisible();
        assertThat(page.locator("#moment")).not().containsText("Values are those of");
        String moment = page.locator("#moment").textContent();
        page.keyboard().press("ArrowRight");
        assertThat(page.locator("#moment")).not().hasText(moment);
        page.keyboard().press("+");
        awaitAxis(page, whole);
        page.keyboard().press("0");
        page.waitForCondition(() -> axis(page).equals(whole));
        Page shared = visits.visitor(dashboard.address(), Look.PHONE).open(
                page.url().substring(page.url().indexOf("/runs/"))).page();
        assertThat(shared.locator(".cursor").first()).isVisible();
    }

    @Test
    void charts_fit_one_screen_have_units_and_legends_with_values_and_are_zoomed_by_dragging() {
        Visitor visitor = open(dashboard.finishedOnce(), Look.LIGHT);
        Page page = visitor.page();
        page.locator("#time-title").evaluate("title => title.scrollIntoView()");

        BoundingBox charts = page.locator("#time-chart").boundingBox();
        assertThat(charts.y + charts.height).as("the end of the charts").isLessThanOrEqualTo(Look.LIGHT.height());
        assertThat(page.locator(".panel strong").allTextContents()).startsWith("Share", "Load", "Latency", "Errors");
        assertThat(page.locator(".panel figcaption").nth(1)).containsText(Pattern.compile("SUT [\\d.]+\\sreq/s"));
        assertThat(page.locator(".panel figcaption").nth(2)).containsText(Pattern.compile("limit 5\\ss"));
        String whole = axis(page);
        BoundingBox plot = plot(page);
        page.mouse().move(plot.x + 100, plot.y + 20);
        assertThat(page.locator(".cursor").nth(3)).isVisible();
        page.mouse().down();
        page.mouse().move(plot.x + 140, plot.y + 20);
        page.mouse().move(plot.x + 180, plot.y + 20);
        assertThat(page.locator(".selection").nth(2)).isVisible();
        page.mouse().up();
        awaitAxis(page, whole);
        assertThat(page.locator(".selection").first()).isHidden();
        visitor.assertAccessible();
        visitor.assertNoHorizontalScrolling();
        visitor.screenshot("run-zoomed");
        page.mouse().dblclick(plot.x + 100, plot.y + 20);
        page.waitForCondition(() -> axis(page).equals(whole));
    }

    @Test
    void charts_are_saved_as_an_image_and_printed() throws IOException {
        Page page = open(dashboard.finishedOnce(), Look.DARK).page();

        Download download = page.waitForDownload(() -> page.getByRole(AriaRole.BUTTON,
                new Page.GetByRoleOptions().setName("Save as PNG")).click());

        assertThat(download.suggestedFilename()).startsWith("redliner-").endsWith(".png");
        assertThat(ImageIO.read(download.path().toFile()).getWidth()).isGreaterThan(2 * 1200);
        assertThat(Files.size(download.path())).isGreaterThan(20_000);
        byte[] paper = page.pdf(new Page.PdfOptions().setFormat("A4"));
        assertThat(new String(paper, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
        assertThat((int) page.evaluate("document.getElementById('time-chart').clientWidth")).as("on the screen again")
                .isGreaterThan(1200);
    }

    @Test
    void scrolling_an_hour_has_no_long_frame() {
        String run = dashboard.finishedOnce();
        ObjectNode hour = Timelines.ofLength(Duration.ofHours(1), dashboard.controller(), run);
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        visitor.context().route("**/timeline?*", route -> route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json").setBody(hour.toString())));
        Page page = visitor.open("/runs/" + run).page();
        assertThat(page.locator("#moment")).containsText("Values are those of");
        // The library comes once, with the first sight of a chart, and is no part of scrolling.
        page.locator("#curve-chart").scrollIntoViewIfNeeded();
        assertThat(page.locator("#curve-chart canvas")).isVisible();
        assertThat(page.locator(".panel canvas").last()).isAttached();
        page.evaluate("scrollTo(0, 0)");
        page.waitForResponse(answer -> answer.url().endsWith("/kill-switch"), () -> {});
        double longFrame = longFrame(visitor);

        assertThat(slowest(turnWheel(page))).as("ms of a core that the slowest turn took").isLessThan(longFrame);
        page.evaluate("addEventListener('scroll', () => " + LONG_FRAME + ")");
        assertThat(slowest(turnWheel(page))).as("with a slow handler").isGreaterThan(longFrame);
    }

    private static double slowest(List<Double> turns) {
        return turns.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** Milliseconds of a core that the longest bearable frame takes in this browser. */
    private static double longFrame(Visitor visitor) {
        Page empty = visitor.context().newPage();
        empty.setContent("<body style='height: 9000px'>");
        empty.evaluate("addEventListener('scroll', () => " + LONG_FRAME + ")");
        List<Double> turns = turnWheel(empty).stream().sorted().toList();
        empty.close();
        return turns.get(turns.size() / 2);
    }

    /**
     * Scrolls down and up again. Returns the milliseconds of a core that the page's thread was busy with each turn of the wheel:
     * they are the same on a busy machine. Orders go to the browser directly, since Playwright's own take time of the page.
     */
    private static List<Double> turnWheel(Page page) {
        page.bringToFront();
        CDPSession browser = page.context().newCDPSession(page);
        browser.send("Performance.enable", order("{timeDomain: 'threadTicks'}"));
        List<Double> turns = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            double before = busy(browser);
            browser.send("Input.dispatchMouseEvent", order("{type: 'mouseWheel', x: 600, y: 500, deltaX: 0, deltaY: "
                    + (turn < TURNS / 2 ? 150 : -150) + "}"));
            browser.send("Runtime.evaluate", order("{awaitPromise: true, expression: '" + NEXT_FRAME + "'}"));
            turns.add(busy(browser) - before);
        }
        browser.detach();
        return turns;
    }

    static JsonObject order(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }

    /** Milliseconds of a core that the thread of a page was busy since the browser counts them. */
    static double busy(CDPSession browser) {
        for (JsonElement metric : browser.send("Performance.getMetrics").getAsJsonArray("metrics")) {
            if (metric.getAsJsonObject().get("name").getAsString().equals("TaskDuration")) {
                return 1000 * metric.getAsJsonObject().get("value").getAsDouble();
            }
        }
        throw new IllegalStateException("This browser does not count its tasks");
    }

    @Test
    void a_step_is_red_in_the_table_by_the_rule_of_the_pictures() {
        String run = dashboard.finishedOnce();
        Visitor visitor = visits.visitor(dashboard.address(), Look.LIGHT);
        ObjectNode steps = (ObjectNode) dashboard.controller().get("/runs/" + run + "/steps");
        ArrayNode items = (ArrayNode) steps.get("items");
        ObjectNode step = (ObjectNode) items.get(0);
        items.removeAll();
        for (int breached : new int[]{0, 1, 3, 4, 8}) {
            items.add(step.deepCopy().put("number", items.size() + 1).put("windows", 8).put("breached", breached));
        }
        visitor.context().route("**/steps", route -> route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json").setBody(steps.toString())));
        Page page = visitor.open("/runs/" + run).page();

        Locator broken = page.locator("#steps td[data-label='Broken windows']");
        assertThat(broken).hasCount(5);
        assertThat(page.locator("#steps td.bad")).hasText(new String[]{"4 of 8", "8 of 8"});
        assertThat(page.locator("#picture line.tried-broke")).hasCount(2);
    }
}
