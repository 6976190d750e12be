// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** The first screen of a run in each of its states, in all windows and themes, beside a clock that is right or 10 minutes off. */
@Tag("browser")
class RunStatesTest {

    private static final List<Look> LOOKS = List.of(new Look(ColorScheme.LIGHT, 360, 740),
            new Look(ColorScheme.DARK, 360, 740), new Look(ColorScheme.LIGHT, 1280, 800),
            new Look(ColorScheme.DARK, 1280, 800), new Look(ColorScheme.LIGHT, 2560, 1440),
            new Look(ColorScheme.DARK, 2560, 1440));

    /** A stream of events that is open, and in which none comes. */
    private static final String QUIET_STREAM = """
            window.EventSource = class {
              static OPEN = 1;
              readyState = 1;
              constructor() { setTimeout(() => this.onopen?.()); }
              addEventListener() {}
              close() { this.readyState = 2; }
            };""";

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    /** States of a run. */
    enum State {

        RUNNING("testing"), LOWERING("lowering"), RESTORED("restored"), NOT_RESTORED("NOT restored"), DOUBTFUL(
                "restored"), LOST("not known");

        private final String words;

        State(String words) {
            this.words = words;
        }

        /** Makes the document of a run in this state from that of one that is over. */
        void change(ObjectNode run, Instant now) {
            switch (this) {
                case RUNNING, LOST -> live(run, now);
                case LOWERING -> live(run, now).put("phase", "Restoring");
                case RESTORED -> restored(run, "NATURAL", "MEASURED");
                case NOT_RESTORED -> restored(run, "NOT_NATURAL", "CONTRADICTED");
                case DOUBTFUL -> {
                    restored(run, "NATURAL", "MEASURED");
                    ((ObjectNode) run.get("result")).putObject("certainty").put("level", "DOUBTFUL")
                            .put("words", "doubtful: host").putArray("checks").add("host");
                }
            }
        }

        private static ObjectNode live(ObjectNode run, Instant now) {
            List.of("outcome", "finishedAt", "result", "restore", "stopReason", "exitCode", "headline")
                    .forEach(run::remove);
            // The window stays fresh while the test looks.
            ObjectNode window = (ObjectNode) run.get("window");
            window.put("startedAt", now.plus(Duration.ofMinutes(5)).toString());
            ((ObjectNode) window.get("advice")).put("action", "GO");
            run.put("askedShare", window.path("shareAsked").asDouble());
            run.putObject("limit").put("at", now.plus(Duration.ofMinutes(20)).toString()).put("code", "MaxDuration");
            return run.put("phase", "Ramping").put("submittedAt", now.minus(Duration.ofMinutes(3)).toString());
        }

        private static void restored(ObjectNode run, String traffic, String proof) {
            ((ObjectNode) run.get("restore")).put("traffic", traffic).put("proof", proof);
        }
    }

    private Visitor open(State state, Look look, boolean wrongClock) {
        String id = dashboard.finishedOnce();
        Instant now = Clock.systemUTC().instant();
        ObjectNode run = (ObjectNode) dashboard.controller().get("/runs/" + id);
        state.change(run, now);
        Visitor visitor = visits.visitor(dashboard.address(), look);
        if (wrongClock) {
            visitor.setClock(now.plus(Duration.ofMinutes(10)));
        }
        visitor.context().route("**/api/v1/runs/" + id, route -> route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json").setBody(run.toString())));
        if (state == State.LOST) {
            visitor.troubles().expect("ERR_FAILED|EventSource|Stream");
            visitor.context().route("**/events?**", Route::abort);
        } else {
            visitor.context().addInitScript(QUIET_STREAM);
        }
        return visitor.open("/runs/" + id);
    }

    @ParameterizedTest
    @EnumSource
    void the_first_screen_says_the_state_in_all_windows(State state) {
        for (Look look : LOOKS) {
            for (boolean wrongClock : look.equals(Look.LIGHT) ? new boolean[]{false, true} : new boolean[]{false}) {
                Visitor visitor = open(state, look, wrongClock);
                Page page = visitor.page();

                Locator words = page.locator("#strip-state .state");
                assertThat(words).containsText(state.words);
                assertThat(words).isInViewport();
                Locator stop = page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Stop").setExact(true));
                if (state == State.RUNNING || state == State.LOST) {
                    assertThat(stop).isInViewport();
                } else {
                    assertThat(stop).isHidden();
                }
                if (state == State.DOUBTFUL) {
                    assertThat(page.locator("#answer")).containsText("doubtful");
                    assertThat(page.locator("#picture svg.doubtful")).isVisible();
                }
                visitor.assertNoHorizontalScrolling();
                if (look.width() <= Look.LIGHT.width()) {
                    // Markup and colours are the same in a wider window.
                    visitor.assertAccessible();
                }
                visitor.screenshot("state-" + state.name().toLowerCase(Locale.ROOT) + (wrongClock ? "-clock" : ""));
            }
        }
    }
}
