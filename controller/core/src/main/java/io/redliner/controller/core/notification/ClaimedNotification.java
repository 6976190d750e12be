// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that this controller has begun to deliver, for one attempt.
 *
 * @param id stays the same over all attempts
 * @param runId of the run that it is about
 * @param kind of its receiver
 * @param content a {@link NotificationPayload} in JSON
 * @param subscription that asked for it
 * @param attempts with this one
 */
public record ClaimedNotification(String id, String runId, ChannelType kind, String content,
        Subscription subscription, Attempts attempts) {

    /**
     * The place where the receiver is read from.
     *
     * @param plan canonical JSON of the run's plan; may have secret addresses in it
     * @param entry of the plan's section {@code notify}, from 0
     */
    public record Subscription(String plan, int entry) {}

    /**
     * The attempts to deliver a message.
     *
     * @param count with the one under way
     * @param acceptedAt the message's age counts from here
     * @param lastError of the attempt before; absent when there was none
     */
    public record Attempts(int count, Instant acceptedAt, @Nullable String lastError) {

        /** Returns why the message is given up before the attempt under way is made. */
        public String givenUp() {
            return "given up after " + (count - 1) + " attempts: "
                    + (lastError == null ? "none was made in time" : lastError);
        }
    }

    @Override
    public String toString() {
        return "Message[" + id + "]";
    }
}
