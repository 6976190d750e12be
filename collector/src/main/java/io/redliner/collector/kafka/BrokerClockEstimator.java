// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Estimates the offset of the broker's clock from what it answers: it stamps a record between the time at which that was
 * sent and the time at which the answer came. Of the last answers the quickest tells most (Cristian's algorithm, as NTP has it).
 * Needs a topic whose {@code message.timestamp.type} is {@code LogAppendTime}. For any thread.
 */
final class BrokerClockEstimator {

    private static final int ANSWERS = 32;

    /** Beyond, clocks may have drifted apart. */
    private static final Duration LONGEST_MEMORY = Duration.ofMinutes(2);

    private final Deque<Answer> answers = new ArrayDeque<>();

    /**
     * The broker acknowledged a record.
     *
     * @param sent when it was handed to the Kafka client; also the time that the record was given
     * @param stamped the time of the record by the answer, in milliseconds since the epoch
     * @param answered when the answer came
     */
    synchronized void answer(Instant sent, long stamped, Instant answered) {
        if (stamped == sent.toEpochMilli() || answered.isBefore(sent)) {
            // The topic keeps the times of those who send, or the clock was set.
            return;
        }
        Duration half = Duration.between(sent, answered).dividedBy(2);
        // What was cut off of the stamp is half a millisecond in the mean.
        Duration offset = Duration.between(sent.plus(half), Instant.ofEpochMilli(stamped)).plusNanos(500_000);
        if (answers.size() >= ANSWERS) {
            answers.removeFirst();
        }
        answers.addLast(new Answer(answered, new BrokerClockOffset(offset, half.plusNanos(500_000))));
    }

    /** Empty when the broker has not said it lately. */
    synchronized Optional<BrokerClockOffset> offset(Instant now) {
        answers.removeIf(answer -> answer.at().isBefore(now.minus(LONGEST_MEMORY)));
        return answers.stream().map(Answer::offset).min((a, b) -> a.error().compareTo(b.error()));
    }

    private record Answer(Instant at, BrokerClockOffset offset) {}
}
