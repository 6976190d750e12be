// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import java.util.Locale;

/** The kind of a notification channel. */
public enum ChannelType {

    /** JSON, signed as in Standard Webhooks. */
    WEBHOOK,
    /** JSON as Slack's incoming webhooks take it; other products accept the same messages. */
    SLACK,
    /** Mail, in plain text and HTML. */
    EMAIL;

    /** Returns the name in the API and in metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
