// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import java.time.Instant;

/** Takes deployments that were told by Kafka. */
public interface DeploymentListener {

    /**
     * A deployment was told, perhaps not for the first time. Whatever else is thrown makes it come again.
     *
     * @param text JSON
     * @param told when it was said
     * @param position names the record, and no other
     * @throws SkippedRecordException when it is to be skipped
     */
    void deployment(String text, Instant told, String position) throws SkippedRecordException;
}
