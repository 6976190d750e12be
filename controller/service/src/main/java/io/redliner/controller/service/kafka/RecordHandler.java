// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What is read, and what becomes of it. Called on the reader's thread. */
interface RecordHandler {

    /** Finds the place to read from; again after each failure. */
    void place(Consumer<byte[], byte[]> consumer);

    /**
     * Takes a record that is not empty. Whatever else is thrown makes the reader find its place again.
     *
     * @throws SkippedRecordException when it is to be counted and skipped
     */
    void take(ConsumerRecord<byte[], byte[]> consumed) throws SkippedRecordException;

    /** Looks for more to read from, after each poll. */
    default void look(Consumer<byte[], byte[]> consumer) {}

    /** All records of a poll were taken or skipped. */
    default void taken(Consumer<byte[], byte[]> consumer) {}
}
