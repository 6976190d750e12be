// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.consumer.SkippedRecordException;
import java.time.Instant;

/** Takes deployments that were reported in Kafka. */
public interface DeploymentListener {

    /**
     * A deployment was reported, possibly not for the first time. After any other exception the record is delivered again.
     *
     * @param text JSON
     * @param reportedAt when it was reported
     * @param position names the record, and no other
     * @throws SkippedRecordException when it is to be skipped
     */
    void deployment(String text, Instant reportedAt, String position) throws SkippedRecordException;
}
