// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.limit.OwnLimit.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnLimitTest {

    @Test
    void each_limit_is_called_redliners_with_its_value_and_what_to_do() {
        assertThat(new OwnLimit(Kind.ROUTE_TIMEOUT, 15_000, 12, 30).describe("shop"))
                .isEqualTo("RedLiner's own route timeout of 15s ended 40% of the requests of shop (12 of 30):"
                        + " set 'timeout' of the service in the services file, 0s for none");
        assertThat(new OwnLimit(Kind.IDLE_TIMEOUT, 300_000, 3, 4_000).describe("shop"))
                .startsWith("RedLiner's own idle timeout of 5m ended 0.08% of the requests of shop (3 of 4000): ");
        assertThat(new OwnLimit(Kind.CIRCUIT_BREAKER, 10_000, 3, 3).describe("shop"))
                .startsWith("RedLiner's own circuit breaker of 10000 requests under way refused 100% of the requests")
                .contains("'circuitBreakers'");
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "2, 2, false", "3, 3, true", "3, 3999, true", "3, 4000, false", "400, 400999, true",
        "400, 401000, false"})
    void a_single_request_that_hangs_is_an_exception_and_a_part_of_all_is_none(long ended, long requests,
            boolean matters) {
        assertThat(new OwnLimit(Kind.ROUTE_TIMEOUT, 15_000, ended, requests).matters()).isEqualTo(matters);
    }
}
