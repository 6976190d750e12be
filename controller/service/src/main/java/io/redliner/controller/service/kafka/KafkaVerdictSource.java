// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.contract.Topic;
import io.redliner.contract.consumer.SkippedRecordException;
import io.redliner.contract.consumer.Source;
import io.redliner.contract.consumer.TopicTail;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.port.VerdictSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads verdicts and lease status. Each controller reads all of them. Verdicts are read from the end of the topic, because older
 * ones are about windows that are past. Lease status is read from 5 s before the start, so that services are known at once. A
 * record that cannot be read is counted and skipped.
 */
final class KafkaVerdictSource implements VerdictSource, TopicTail.Handler {

    private static final Duration BACK = Duration.ofSeconds(5);

    private static final Duration MAX_FETCH_WAIT = Duration.ofMillis(100);

    private final String verdicts;

    private final VerdictSource.Listener listener;

    private final RecordCounter recordCounter;

    private final TopicTail topicTail;

    KafkaVerdictSource(KafkaProperties kafka, InstantSource clock, MeterRegistry meters,
            VerdictSource.Listener listener) {
        this.verdicts = kafka.topics().name(Topic.VERDICTS);
        this.listener = listener;
        this.recordCounter = new RecordCounter(meters);
        this.topicTail = TopicTail.of("controller-verdicts", kafka, "redliner-controller", MAX_FETCH_WAIT,
                List.of(Source.fromEnd(Topic.VERDICTS), Source.since(Topic.LEASE_STATUS, BACK)), this, clock,
                System::nanoTime);
    }

    @Override
    public void start() {
        topicTail.start();
    }

    @Override
    public boolean alive() {
        return topicTail.alive();
    }

    @Override
    public boolean reading() {
        return topicTail.reading();
    }

    @Override
    public @Nullable String failure() {
        return topicTail.failure();
    }

    @Override
    public void close() {
        topicTail.close();
    }

    @Override
    public void take(ConsumerRecord<byte[], byte @Nullable []> message) throws SkippedRecordException {
        byte[] value = RecordCounter.valueOf(message);
        try {
            if (message.topic().equals(verdicts)) {
                Verdict verdict = Verdict.parseFrom(value);
                String service = TextSanitizer.of(verdict.getService());
                listener.redirectorsReported(service, verdict.getRedirectorsList());
                listener.verdict(service, VerdictDecoder.read(verdict));
            } else {
                LeaseStatus status = LeaseStatus.parseFrom(value);
                LeaseStatusDecoder.check(message.key(), status);
                listener.status(LeaseStatusDecoder.read(status), SenderProof.read(status));
            }
        } catch (InvalidProtocolBufferException | RuntimeException poisoned) {
            // Reading the record again would fail in the same way.
            throw new SkippedRecordException("poisoned", String.valueOf(poisoned.getMessage()));
        }
    }

    @Override
    public long count(String topic, String result) {
        return recordCounter.count(topic, result);
    }
}
