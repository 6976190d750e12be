// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.util.Locale;

/** How somebody is told. */
enum ChannelType {

    /** Signed JSON, see {@link WebhookBody}. */
    WEBHOOK,
    /** Slack's incoming webhooks, and what understands their messages. */
    SLACK,
    /** Mail. */
    EMAIL;

    /** As it is written in the API and in metrics. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
