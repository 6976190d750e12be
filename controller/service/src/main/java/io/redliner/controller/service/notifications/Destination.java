// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a message goes. */
sealed interface Destination {

    /** How it is told there. */
    Kind kind();

    /**
     * An address on the web.
     *
     * @param key what messages are signed with; absent: they are not
     */
    record Web(Kind kind, URI url, @Nullable SigningKey key, boolean privateAllowed) implements Destination {

        @Override
        public String toString() {
            return kind + "[" + url.getHost() + "]";
        }
    }

    /** People. */
    record Mailbox(List<String> addresses) implements Destination {

        @Override
        public Kind kind() {
            return Kind.EMAIL;
        }
    }
}
