// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.consumer.TopicTail.KafkaAnswers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KafkaAnswersTest {

    private final AtomicLong now = new AtomicLong(-5);

    private final KafkaAnswers answers = new KafkaAnswers(now::get);

    private void after(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void a_count_that_stays_is_no_answer() {
        answers.fetched(3);
        after(Duration.ofSeconds(9));
        answers.fetched(3);
        assertThat(answers.silence()).isEmpty();

        after(Duration.ofSeconds(2));

        assertThat(answers.silence()).hasValue(Duration.ofSeconds(11));
        answers.fetched(4);
        assertThat(answers.silence()).isEmpty();
    }

    @Test
    void a_new_consumer_counts_from_zero() {
        answers.fetched(100);
        after(Duration.ofSeconds(11));
        answers.fetched(0);
        assertThat(answers.silence()).as("it has not been answered").isPresent();

        answers.answered();
        after(Duration.ofSeconds(9));
        answers.fetched(1);
        after(Duration.ofSeconds(9));

        assertThat(answers.silence()).isEmpty();
    }
}
