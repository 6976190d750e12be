// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Clock;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Tracing;
import com.microsoft.playwright.options.AriaRole;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;

/** Somebody who looks at the dashboard: with a browser of their own, as far as cookies and storage go, and one page. */
final class Visitor implements AutoCloseable {

    /** Time limit of every wait. Two busy cores may be slow. */
    static final double TIMEOUT_MS = 30_000;

    private static final String DOCUMENTATION = "redliner.screenshots";

    private static final int MAX_TABS = 100;

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    /** The innermost elements that reach out of the page, unless something around them scrolls by itself. */
    private static final String BEYOND_THE_RIGHT_EDGE = """
            () => {
              const width = document.documentElement.clientWidth;
              if (document.documentElement.scrollWidth <= width) return [];
              const scrolls = element => element && element !== document.body && element !== document.documentElement
                && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
              return [...document.body.querySelectorAll('*')]
                .filter(element => element.getBoundingClientRect().right > width + 0.5 && !scrolls(element.parentElement))
                .filter((element, index, all) => !all.some(other => other !== element && element.contains(other)))
                .map(element => `${Math.round(element.getBoundingClientRect().right - width)} px: ${element.outerHTML.slice(0, 200)}`)
                .concat([`the page is ${document.documentElement.scrollWidth} px wide`]);
            }""";

    private final URI dashboard;

    private final Look look;

    private final BrowserContext context;

    private final Troubles troubles;

    private final Page page;

    /** Bytes that arrived of each request, by its id. */
    private final Map<String, Long> received = new ConcurrentHashMap<>();

    private boolean traced;

    /** Arrives at nothing yet. The dashboard is the only host that the pages may speak to. */
    Visitor(Browser browser, URI dashboard, Look look) {
        this.dashboard = dashboard;
        this.look = look;
        this.context = browser.newContext(new Browser.NewContextOptions()
                .setLocale("en-GB").setTimezoneId("Asia/Kolkata").setColorScheme(look.theme())
                .setViewportSize(look.width(), look.height()));
        context.setDefaultTimeout(TIMEOUT_MS);
        context.setDefaultNavigationTimeout(TIMEOUT_MS);
        this.troubles = Troubles.in(context, dashboard);
        context.tracing().start(new Tracing.StartOptions().setSnapshots(true));
        this.traced = true;
        this.page = context.newPage();
        CDPSession network = context.newCDPSession(page);
        network.on("Network.dataReceived", part -> count(part, Long::sum));
        // The whole of it, with its head.
        network.on("Network.loadingFinished", answer -> count(answer, (parts, whole) -> whole));
        network.send("Network.enable");
    }

    private void count(JsonObject event, BinaryOperator<Long> sum) {
        received.merge(event.get("requestId").getAsString(), event.get("encodedDataLength").getAsLong(), sum);
    }

    /** Bytes that the page has received so far, as they came over the wire. */
    long bytesReceived() {
        return received.values().stream().mapToLong(Long::longValue).sum();
    }

    Page page() {
        return page;
    }

    BrowserContext context() {
        return context;
    }

    /** What goes wrong behind the page; asserted at the end of each test. */
    Troubles troubles() {
        return troubles;
    }

    /** Sets the clock of the browser; it goes on from there. */
    Visitor setClock(Instant time) {
        context.clock().install(new Clock.InstallOptions().setTime(Date.from(time)));
        return this;
    }

    /** Goes to a path of the dashboard; an empty one is the address itself. */
    Visitor open(String path) {
        page.navigate((path.isEmpty() ? dashboard : dashboard.resolve(path)).toString());
        return this;
    }

    /** Presses Tab until what has the focus is of this role and of exactly this name. */
    void tabTo(String role, String name) {
        for (int tabs = 0; tabs < MAX_TABS; tabs++) {
            page.keyboard().press("Tab");
            if (page.locator("*:focus").and(page.getByRole(AriaRole.valueOf(role.toUpperCase(Locale.ROOT)),
                    new Page.GetByRoleOptions().setName(name).setExact(true))).count() == 1) {
                return;
            }
        }
        throw new AssertionError("Tab never came to the " + role + " " + name);
    }

    /**
     * Keeps what is seen of a view as target/screenshots/view-theme-width.png, the whole page; and as view-theme-width.png in the
     * folder that the system property {@value #DOCUMENTATION} names, if it does, what is in the window.
     */
    void screenshot(String view) {
        String file = view + "-" + look + ".png";
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(file)).setFullPage(true));
        String documentation = System.getProperty(DOCUMENTATION);
        if (documentation != null && look.width() < Look.WALL.width()) {
            page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(documentation, file)));
        }
    }

    /** Asserts WCAG 2.2 AA, as far as a program can. */
    void assertAccessible() {
        Accessibility.assertNoViolations(page);
    }

    /** Asserts that nothing is to the right of the window: neither a scroll bar nor something cut off. */
    void assertNoHorizontalScrolling() {
        assertThat(page.evaluate(BEYOND_THE_RIGHT_EDGE)).as("beyond the right edge of a window of %s", look)
                .isEqualTo(List.of());
    }

    /** Keeps what a failed test saw last, and how it came about: {@code npx playwright show-trace FILE}. */
    void keepEvidence(String test) {
        screenshot("failed-" + test);
        traced = false;
        context.tracing().stop(
                new Tracing.StopOptions().setPath(SCREENSHOTS.resolve("failed-" + test + "-" + look + "-trace.zip")));
    }

    @Override
    public void close() {
        if (traced) {
            // Or its files would stay.
            context.tracing().stop();
        }
        context.close();
    }
}
