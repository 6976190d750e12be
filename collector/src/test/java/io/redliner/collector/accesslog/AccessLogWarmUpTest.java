// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccessLogWarmUpTest {

    /** That it gets as far as windows, whatever becomes of the format of the log or of the windows. */
    @Test
    void each_request_that_it_makes_up_is_in_a_window() {
        assertThat(AccessLogWarmUp.perform()).isEqualTo(100);
        assertThat(AccessLogWarmUp.perform()).isEqualTo(100);
    }
}
