// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of durations lie between a microsecond and a day, however they are written. */
class DurationLimitsTest {

    private final RuleCompiler compiler = new RuleCompiler();

    /** The placeholder is one and the same limit, in seconds. */
    @ParameterizedTest
    @ValueSource(strings = {"%n / duration('1s') <= %s", "%n / duration('1s') < %s", "%n / duration('1s') >= %s",
        "!(%n / duration('1s') > %s)", "!(%n / duration('1s') <= %s) && cpu <= 0.5", "%s >= %n / duration('1s')",
        "2.0 * (%n / duration('2s')) <= %s", "%n / duration('1s') - 1.0 <= %s - 1.0", "%n <= %s * duration('1s')",
        "duration('1s') / %n >= 1.0 / %s", "1.0 / %s < duration('1s') / %n", "!(duration('1s') / %n >= 1.0 / %s)",
        "duration('2s') / (2.0 * %n) >= 1.0 / %s", "cpu <= 0.5 || 3.0 * (duration('1s') / %n) <= 3.0 / %s"})
    void every_limit_of_a_duration_can_be_measured(String form) {
        for (var name : List.of("latency.p50", "latency.p90", "latency.p95", "latency.p99", "latency.p999",
                "latency.max", "latency.mean", "ttfb.p99", "ttfb.max", "peers.latency.p99", "service.latency.p999",
                "baseline.ttfb.p50", "gc.pause")) {
            for (var seconds : List.of("0.000001", "0.2", "86400.0")) {
                assertThat(compiler.compile("rule", written(form, name, seconds), false).latencyLimits())
                        .allMatch(limit -> !limit.minus(Duration.ofNanos(1000)).isNegative()
                                && limit.compareTo(Duration.ofDays(1)) <= 0);
            }
            for (var seconds : List.of("0.0000001", "0.00000099", "1e-300")) {
                assertThat(refusal(written(form, name, seconds))).hasMessageContaining("write 1us or more");
            }
            for (var seconds : List.of("86401.0", "1e9", "1e300")) {
                assertThat(refusal(written(form, name, seconds))).hasMessageContaining("at most 24h");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "latency.p99 / duration('1us') <= 1e15   | 34 | comes to 277778h",
        "latency.p99 / duration('1us') <= 0.1    | 34 | 1us or more",
        "latency.p99 / duration('1s') <= 1e9     | 33 | comes to 277778h",
        "cpu > 0.5 && 86401.0 >= latency.p99 / duration('1s')  | 14 | comes to 24h",
        "duration('1s') / latency.p99 >= 1e-9    | 33 | comes to 277778h",
        "duration('1s') / latency.p99 > 0.0      | 32 | comes to far more"})
    void the_place_is_that_of_the_limit(String expression, int column, String message) {
        var refusal = refusal(expression);

        assertThat(refusal).hasMessageContaining(message);
        assertThat(refusal.line()).isEqualTo(1);
        assertThat(refusal.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @ValueSource(strings = {"latency.p99 <= latency.p50 + duration('1000h')",
        "latency.p99 <= 1e12 * peers.latency.p99", "qps * duration('1us') <= duration('1s')",
        "custom['x'] * duration('1s') <= duration('1000h')", "custom['x'] * duration('1s') >= duration('0s')",
        "(latency.p99 - peers.latency.p99) / duration('1s') <= 0.0", "latency.p99 / latency.p50 <= 1e6",
        "duration('10s') / (latency.p99 - duration('1s')) >= -5.0", "duration('1h') / (qps + cpu) <= duration('1ms')",
        "duration('1h') / qps <= duration('1ms')",
        "(duration('1s') / latency.p99) * duration('1s') >= duration('25h')"})
    void other_limits_have_no_such_bounds(String expression) {
        assertThat(compiler.compile("rule", expression, false).latencyLimits()).isEmpty();
    }

    @Test
    void a_limit_written_as_a_number_is_counted_against() {
        assertThat(compiler.compile("rule", "latency.p99 / duration('1ms') <= 200.0", false).latencyLimits())
                .containsExactly(Duration.ofMillis(200));
    }

    private InvalidRuleException refusal(String expression) {
        var refusal = catchThrowableOfType(InvalidRuleException.class,
                () -> compiler.compile("rule", expression, false));
        assertThat(refusal).as(expression).isNotNull();
        return refusal;
    }

    private static String written(String form, String name, String seconds) {
        return form.replace("%n", name).replace("%s", seconds);
    }
}
