// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LogPauseTest {

    @Test
    void a_producer_that_went_wrong_does_not_fill_the_log() {
        var pause = new LogPause();

        // A hundred each second, for half a minute.
        assertThat(LongStream.range(0, 3_000).filter(record -> pause.allows(Parking.Reason.NO_KEY, 10 * record)))
                .hasSize(3);
        assertThat(pause.allows(Parking.Reason.NO_VALUE, 29_999)).as("another kind").isTrue();
    }
}
