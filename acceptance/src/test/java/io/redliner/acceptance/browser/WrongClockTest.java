// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Page;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A browser whose clock is wrong shows what one with the controller's time shows. */
@Tag("browser")
class WrongClockTest {

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private Page open(String path, long minutesAhead) {
        return visits.visitor(dashboard.address(), Look.LIGHT)
                .setClock(Clock.systemUTC().instant().plus(Duration.ofMinutes(minutesAhead))).open(path).page();
    }

    @ParameterizedTest
    @ValueSource(longs = {-60, 10})
    void live_windows_are_fresh(long minutesAhead) {
        dashboard.duringRun(run -> {
            Page page = open("/runs/" + run, minutesAhead);

            assertThat(page.locator("#connection-state")).hasText("Live");
        });
    }

    /** The header Date has whole seconds, and a busy machine answers late. */
    @ParameterizedTest
    @ValueSource(longs = {-60, 10})
    void the_time_is_the_controllers(long minutesAhead) {
        Page page = open("/", minutesAhead);
        assertThat(page.getByText("Nothing is being tested.")).isVisible();

        long shown = ((Number) page.evaluate("async () => (await import('/js/clock.js')).now()")).longValue();

        assertThat(shown).isCloseTo(Clock.systemUTC().millis(), within(60_000L));
    }
}
