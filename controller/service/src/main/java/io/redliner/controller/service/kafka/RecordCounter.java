// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.consumer.SkippedRecordException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Counts the records that a controller read, by topic and result. */
record RecordCounter(MeterRegistry meters) {

    /** Returns the value of a record that must have one. */
    static byte[] valueOf(ConsumerRecord<byte[], byte @Nullable []> message) throws SkippedRecordException {
        byte[] value = message.value();
        if (value == null || value.length == 0) {
            throw new SkippedRecordException("empty", "has no value");
        }
        return value;
    }

    /** Counts a record, and returns how many there have been with this result. */
    long count(String topic, String result) {
        Counter counter = meters.counter("redliner.controller.records", "topic", topic, "result", result);
        counter.increment();
        return (long) counter.count();
    }
}
