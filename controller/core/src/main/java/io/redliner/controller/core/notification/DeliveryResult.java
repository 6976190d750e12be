// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one attempt to deliver a message ended. Reasons have no address in them, but for the host. */
public sealed interface DeliveryResult {

    /** The receiver took it. */
    record Delivered() implements DeliveryResult {}

    /**
     * It did not arrive, or nobody said that it did; to be tried again.
     *
     * @param retryAfter what the receiver asks to wait; absent when it asks for nothing
     */
    record Failed(String reason, @Nullable Duration retryAfter) implements DeliveryResult {

        public static Failed because(String reason) {
            return new Failed(reason, null);
        }
    }

    /** The receiver says no, and would say it again; to be tried a few times, since it may be under repair. */
    record Rejected(String reason) implements DeliveryResult {}

    /** It will never be taken. */
    record Refused(String reason) implements DeliveryResult {}
}
