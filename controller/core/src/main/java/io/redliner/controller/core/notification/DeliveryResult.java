// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The result of one attempt to deliver a message. Reasons show no more of an address than its host. */
public sealed interface DeliveryResult {

    /** The receiver took it. */
    record Delivered() implements DeliveryResult {}

    /**
     * The message did not arrive, or nobody confirmed that it did. It is tried again.
     *
     * @param retryAfter the pause that the receiver asks for; absent when it asks for none
     */
    record Failed(String reason, @Nullable Duration retryAfter) implements DeliveryResult {

        public static Failed because(String reason) {
            return new Failed(reason, null);
        }
    }

    /** The receiver rejects the message. It is tried a few times more, since the receiver may be under repair. */
    record Rejected(String reason) implements DeliveryResult {}

    /** The message can never be delivered. */
    record Refused(String reason) implements DeliveryResult {}
}
