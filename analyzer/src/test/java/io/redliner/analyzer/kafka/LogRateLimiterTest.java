// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.kafka.DeadLetterPublisher.LogRateLimiter;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LogRateLimiterTest {

    @Test
    void a_producer_that_went_wrong_does_not_fill_the_log() {
        var pause = new LogRateLimiter();

        // A hundred each second, for half a minute.
        assertThat(
                LongStream.range(0, 3_000).filter(record -> pause.allows(DeadLetterHandler.Reason.NO_KEY, 10 * record)))
                .hasSize(3);
        assertThat(pause.allows(DeadLetterHandler.Reason.NO_VALUE, 29_999)).as("another kind").isTrue();
    }
}
