// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RehearsalTest {

    /** That it gets as far as windows, whatever becomes of the format of the log or of the windows. */
    @Test
    void each_request_that_it_makes_up_is_in_a_window() {
        assertThat(Rehearsal.perform()).isEqualTo(100);
        assertThat(Rehearsal.perform()).isEqualTo(100);
    }
}
