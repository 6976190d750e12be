// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.ChannelType;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The destination of a message. */
sealed interface ChannelDestination {

    /** Returns the way in which the message is sent. */
    ChannelType kind();

    /**
     * An address on the web.
     *
     * @param key what messages are signed with; absent: they are not
     */
    record Web(ChannelType kind, URI url, @Nullable WebhookSigningKey key,
            boolean privateAllowed) implements ChannelDestination {

        @Override
        public String toString() {
            return kind + "[" + url.getHost() + "]";
        }
    }

    /** People. */
    record Mailbox(List<String> addresses) implements ChannelDestination {

        @Override
        public ChannelType kind() {
            return ChannelType.EMAIL;
        }
    }
}
