// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.ChannelType;
import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.yaml.NotificationReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends a message to its receiver, once. The run's plan and the present settings give the receiver's address. */
final class NotificationSender {

    private final RunJsonMapper json;

    private final ChannelRegistry channels;

    private final NotificationHttpClient http;

    private final @Nullable NotificationMailer mailer;

    private final NotificationLinks links;

    private final InstantSource clock;

    /** @param mailer absent when no mail server is configured */
    NotificationSender(RunJsonMapper json, ChannelRegistry channels, NotificationHttpClient http,
            @Nullable NotificationMailer mailer, NotificationLinks links,
            InstantSource clock) {
        this.json = json;
        this.channels = channels;
        this.http = http;
        this.mailer = mailer;
        this.links = links;
        this.clock = clock;
    }

    /** Makes one attempt. */
    DeliveryResult send(ClaimedNotification notification) {
        NotificationPayload payload = json.read(notification.content(), NotificationPayload.class);
        ChannelDestination destination = destination(notification);
        return switch (destination) {
            case null -> DeliveryResult.Failed.because("the controller's settings do not know the receiver any more");
            case ChannelDestination.Web web -> post(notification, payload, web);
            case ChannelDestination.Mailbox mailbox -> mailer == null
                    ? DeliveryResult.Failed.because("no mail server is configured any more")
                    : mailer.send(notification.id(), payload, mailbox);
        };
    }

    private @Nullable ChannelDestination destination(ClaimedNotification notification) {
        try {
            List<NotificationSubscription> subscriptions = NotificationReader
                    .ofStored(notification.subscription().plan());
            int entry = notification.subscription().entry();
            return entry < subscriptions.size()
                    ? channels.find(subscriptions.get(entry).receiver()).orElse(null)
                    : null;
        } catch (InvalidPlanException outdated) {
            return null;
        }
    }

    private DeliveryResult post(ClaimedNotification notification, NotificationPayload payload,
            ChannelDestination.Web web) {
        byte[] body = web.kind() == ChannelType.SLACK
                ? SlackBody.of(payload, links)
                : WebhookBody.of(payload, links);
        return http.post(web.url(), headers(notification, web, body, clock.instant()), body, web.privateAllowed());
    }

    /** Returns the headers of Standard Webhooks. The timestamp is the attempt's, so that receivers can refuse old messages. */
    private static Map<String, String> headers(ClaimedNotification notification, ChannelDestination.Web web,
            byte[] body, Instant now) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", notification.id());
        headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
        if (web.key() != null) {
            headers.put("webhook-signature", web.key().sign(notification.id(), now.getEpochSecond(), body));
        }
        return headers;
    }
}
