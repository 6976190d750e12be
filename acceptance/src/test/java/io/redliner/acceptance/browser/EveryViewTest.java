// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import io.redliner.acceptance.LiveStack;
import io.redliner.acceptance.RunEnd;
import io.redliner.acceptance.gallery.Wall;
import io.redliner.acceptance.gallery.WalledService;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What holds of each view, whatever it shows: in its address, in all windows and themes, with data and without. */
@Tag("browser")
class EveryViewTest {

    private static final List<Look> LOOKS = List.of(Look.LIGHT, Look.DARK, Look.PHONE, Look.WALL);

    /** Bytes over the wire of somebody's first visit, with libraries and answers. */
    private static final long MAX_FIRST_VISIT = 350_000;

    private static final Duration MAX_SEARCH = Duration.ofMinutes(8);

    private static final Map<String, String> FILES = Map.of("/", "overview", "/services/shop-backend",
            "service-at-least", "/plans/quick", "plan");

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private void assertFit(String path, String name) {
        LOOKS.forEach(look -> assertFit(path, name, look));
    }

    private Page assertFit(String path, String name, Look look) {
        return assertFit(dashboard.address(), path, name, look);
    }

    private Page assertFit(URI address, String path, String name, Look look) {
        Visitor visitor = visits.visitor(address, look);
        visitor.open(path);
        assertLoaded(visitor.page());
        visitor.screenshot(name);
        visitor.assertNoHorizontalScrolling();
        if (!look.equals(Look.WALL)) {
            // Markup and colours are those of the other windows; there it is about room alone.
            visitor.assertAccessible();
        }
        return visitor.page();
    }

    private static void assertLoaded(Page page) {
        assertThat(page.getByRole(AriaRole.HEADING, new GetByRoleOptions().setLevel(1))).isVisible();
        assertThat(page.getByText("Loading…").filter(new Locator.FilterOptions().setVisible(true))).hasCount(0);
        assertThat(page.locator("[aria-busy=true]")).hasCount(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/runs", "/plans", "/plans/quick", "/services", "/services/shop-backend", "/schedules",
        "/notifications",
        "/kill-switch", "/plans:new",
        "/audit"})
    void a_view_with_data_is_fit_for_all(String path) {
        dashboard.finishedOnce();
        dashboard.furnish();

        assertFit(path, FILES.getOrDefault(path, path.substring(1).replace(':', '-')));
    }

    @Test
    void a_finished_run_is_fit_for_all() {
        assertFit("/runs/" + dashboard.finishedOnce(), "run-exhausted");
    }

    /** On a stack of its own, whose search takes its time. */
    @Test
    void a_run_that_found_a_capacity_and_its_bottleneck_is_fit_for_all(@TempDir Path folder) throws IOException {
        WalledService.Place place = WalledService.Place.free("checkout", Wall.POOL);
        try (WalledService checkout = new WalledService(place, folder);
                LiveStack stack = new LiveStack(place.settings(0))) {
            stack.serve(place.service(), checkout.entry());
            checkout.awaitAnswers();
            stack.controller().putPlan(place.service(), checkout.plan());
            JsonNode run = RunEnd.awaitOf(stack.controller(), stack.controller().startRun(place.service()),
                    MAX_SEARCH);

            Assertions.assertThat(run.path("outcome").asString()).as(run.toString()).isEqualTo("CAPACITY_FOUND");
            for (Look look : LOOKS) {
                Page page = assertFit(stack.dashboard(), "/runs/" + run.path("id").asString(), "run", look);
                assertThat(page.locator("#bottleneck")).containsText("thread or connection pool");
                Page service = assertFit(stack.dashboard(), "/services/checkout", "service", look);
                assertThat(service.getByText("Nothing to compare yet")).isVisible();
            }
        }
    }

    @Test
    void a_first_visit_of_any_page_is_light() {
        String run = dashboard.finishedOnce();
        dashboard.furnish();
        Map<String, Long> bytes = new TreeMap<>();
        for (String path : List.of("/", "/runs", "/runs/" + run, "/plans", "/plans/quick", "/plans:new", "/services",
                "/services/shop-backend", "/schedules", "/notifications", "/kill-switch", "/audit", "/runs/gone",
                "/nowhere", "/api/v1/runs/" + run + "/report?format=html")) {
            try (Visitor visitor = visits.unwatched(dashboard.address(), Look.LIGHT)) {
                assertLoaded(visitor.open(path).page());
                bytes.put(path, visitor.bytesReceived());
            }
        }

        Assertions.assertThat(bytes.values()).as(bytes.toString())
                .allSatisfy(one -> Assertions.assertThat(one).isBetween(5_000L, MAX_FIRST_VISIT));
    }

    @Test
    void a_live_run_is_fit_for_all() {
        dashboard.duringRun(run -> {
            try (Visitor visitor = visits.unwatched(dashboard.address(), Look.LIGHT)) {
                assertLoaded(visitor.open("/runs/" + run).page());
                Assertions.assertThat(visitor.bytesReceived()).as("bytes of a first visit")
                        .isBetween(5_000L, MAX_FIRST_VISIT);
            }
            for (Look look : LOOKS) {
                Page page = assertFit("/runs/" + run, "run-live", look);
                assertThat(page.getByText("Live", new Page.GetByTextOptions().setExact(true))).isVisible();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"/services/shop-backend, [data-edit]", "/schedules, #add-freeze", "/plans/quick, #start",
        "/plans/quick, #delete", "/, #kill-switch"})
    void a_dialog_is_fit_for_all(String path, String button) {
        dashboard.finishedOnce();
        for (Look look : List.of(Look.LIGHT, Look.DARK_PHONE)) {
            Visitor visitor = visits.visitor(dashboard.address(), look);
            Page page = visitor.open(path).page();
            page.locator(button).first().click();

            assertThat(page.locator("dialog[open]")).isVisible();
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            page.keyboard().press("Escape");
            assertThat(page.locator("dialog[open]")).hasCount(0);
        }
    }

    @Test
    void the_audit_log_is_in_sentences() {
        dashboard.finishedOnce();

        Page page = assertFit("/audit", "audit", Look.LIGHT);

        assertThat(page.getByText(Pattern.compile("local started run [0-9a-f]{8} of shop-backend")).first())
                .isVisible();
        assertThat(page.getByText("local saved plan quick").first()).isVisible();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/runs/gone", "/plans/gone", "/services/gone", "/series/gone", "/nowhere"})
    void what_is_not_there_is_said(String path) {
        for (Look look : List.of(Look.LIGHT, Look.DARK_PHONE)) {
            Visitor visitor = visits.visitor(dashboard.address(), look);
            visitor.troubles().expect("status of 404");
            visitor.open(path);
            assertLoaded(visitor.page());
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot(path.split("/", -1)[1] + "-gone");
        }
    }
}
