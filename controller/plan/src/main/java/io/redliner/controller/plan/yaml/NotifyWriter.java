// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.NotificationChannel;
import io.redliner.controller.plan.NotificationSubscription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes who is told of what, with the events filled in and in one order. */
final class NotifyWriter {

    private NotifyWriter() {}

    static List<Map<String, Object>> content(List<NotificationSubscription> subscriptions) {
        return subscriptions.stream().map(NotifyWriter::content).toList();
    }

    private static Map<String, Object> content(NotificationSubscription subscription) {
        Map<String, Object> entry = new LinkedHashMap<>();
        switch (subscription.receiver()) {
            case NotificationChannel.Named named -> entry.put("target", named.name());
            case NotificationChannel.Slack slack -> entry.put("slack", slack.url().toString());
            case NotificationChannel.Email email -> entry.put("email", email.addresses());
            case NotificationChannel.Webhook webhook -> {
                entry.put("webhook", webhook.url().toString());
                if (webhook.secret() != null) {
                    entry.put("secret", webhook.secret());
                }
            }
        }
        entry.put("on", subscription.on().stream().map(PlanReader::written).toList());
        return entry;
    }
}
