// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import java.util.Locale;

/** The kind of a notification channel. */
public enum ChannelType {

    /** JSON, signed as in Standard Webhooks. */
    WEBHOOK,
    /** Slack's incoming webhooks, and what understands their messages. */
    SLACK,
    /** Mail. */
    EMAIL;

    /** The name in the API and in metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
