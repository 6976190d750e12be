// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that this controller has claimed, to make one attempt.
 *
 * @param id stays the same over all attempts
 * @param content a {@link NotificationPayload} in JSON
 * @param plan canonical JSON of the run's plan, where the receiver is read from; may have secret addresses in it
 * @param entry of the plan's section {@code notify}, from 0
 * @param attempts with this one
 * @param acceptedAt its age counts from here
 * @param claim this attempt's
 * @param lastError of the attempt before; absent when there was none
 */
public record ClaimedNotification(String id, String runId, ChannelType kind, String lane, String content, String plan,
        int entry,
        int attempts, Instant acceptedAt, String claim, @Nullable String lastError) {

    @Override
    public String toString() {
        return "Message[" + id + "]";
    }
}
