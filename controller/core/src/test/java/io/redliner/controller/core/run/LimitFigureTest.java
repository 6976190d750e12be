// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.Factor;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Ratio;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The arithmetic of limits, as a plan's author reads it. */
class LimitFigureTest {

    private static final PlanLimits LIMITS = new PlanLimits(Share.ofRatio(0.6), new Factor(BigDecimal.TWO),
            Duration.ofMinutes(30), new Ratio(new BigDecimal("0.001")), Duration.ofSeconds(1), null);

    private static Map<String, String> of(PlanLimits limits, @Nullable Share natural, @Nullable Double rate) {
        return LimitFigure.of(limits, natural, rate).stream()
                .collect(Collectors.toMap(LimitFigure::limit, LimitFigure::text));
    }

    @Test
    void the_share_is_in_requests_of_the_known_traffic() {
        assertThat(of(LIMITS, Share.ofRatio(0.25), 412.0).get("maxShare")).isEqualTo(
                "Of the service's highest known 412 requests/s the SUT gets at most 247 requests/s, where 103 requests/s"
                        + " are natural (25 %); its peers keep 165 requests/s or more.");
        assertThat(of(LIMITS, null, null).get("maxShare")).isEqualTo(
                "Of each 1000 requests/s of the service the SUT gets at most 600 requests/s; its peers keep"
                        + " 400 requests/s or more.");
    }

    @Test
    void raises_are_counted_from_the_natural_share() {
        assertThat(of(LIMITS, Share.ofRatio(0.25), null).get("maxRaise"))
                .isEqualTo("From 25 % to 60 % it takes 2 raises or more: 50 %, 60 %.");
        assertThat(of(LIMITS, Share.ofRatio(0.3), null).get("maxRaise"))
                .isEqualTo("From 30 % to 60 % it takes 1 raise or more: 60 %.");
        assertThat(of(LIMITS, Share.ofRatio(0.001), null).get("maxRaise")).startsWith("From 0.1 % to 60 % it takes"
                + " 10 raises or more: 0.2 %,").endsWith("6.4 % and on.");
        assertThat(of(LIMITS, Share.ofRatio(0.6), null).get("maxRaise")).contains("nothing to raise");
        assertThat(of(LIMITS, null, null).get("maxRaise")).isEqualTo("A share is at most 2 times the one before.");
    }

    @Test
    void harm_is_in_requests_and_in_seconds_of_a_sut_that_fails_wholly() {
        assertThat(of(LIMITS, null, 412.0).get("harmBudget")).isEqualTo(
                "Of the 741600 requests that the service's highest known 412 requests/s make in that time, the test may"
                        + " harm 742, less if less is left of the service's month. If all requests of the SUT failed at its"
                        + " largest share, that would take 3 s.");
    }

    @Test
    void times_are_in_windows() {
        Map<String, String> figures = of(LIMITS, null, null);

        assertThat(figures.get("maxDuration")).contains("30 min 00 s", "1800 windows");
        assertThat(figures.get("window")).contains("every 1s", "after 3s500ms");
    }
}
