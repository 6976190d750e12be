// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.notification.ChannelType;
import io.redliner.controller.core.notification.ClaimedNotification;
import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.yaml.NotificationReader;
import io.redliner.controller.service.notifications.NotificationText.Fact;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

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
        } catch (InvalidDocumentException outdated) {
            return null;
        }
    }

    private DeliveryResult post(ClaimedNotification notification, NotificationPayload payload,
            ChannelDestination.Web web) {
        byte[] body = web.kind() == ChannelType.SLACK
                ? SlackBody.of(payload, links)
                : WebhookBody.of(payload, links);
        Map<String, String> headers = headers(notification, web, body, clock.instant());
        if (web.kind() == ChannelType.WEBHOOK) {
            headers.putAll(cloudEvent(notification.id(), payload));
        }
        return http.post(web.url(), headers, body, web.privateAllowed());
    }

    /** Returns the headers that make the body a CloudEvent 1.0 in binary mode (its HTTP protocol binding, 3.1). */
    private Map<String, String> cloudEvent(String id, NotificationPayload payload) {
        return Map.of("ce-specversion", "1.0", "ce-id", id, "ce-source", links.run(payload.run().id()), "ce-type",
                "io.redliner.run." + payload.event(), "ce-time", payload.at().toString(), "ce-subject",
                URLEncoder.encode(payload.run().service(), StandardCharsets.UTF_8).replace("+", "%20"));
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

    /** A notice in Slack's blocks, with a text for where blocks are not shown. Lengths are within Slack's limits. */
    static final class SlackBody {

        private static final JsonMapper JSON = JsonMapper.builder().build();

        private static final int MAX_HEADER = 150;

        private static final int MAX_FIELD = 2000;

        private static final int MAX_FIELDS = 10;

        private SlackBody() {}

        static byte[] of(NotificationPayload payload, NotificationLinks links) {
            String headline = NotificationText.headline(payload);
            List<Fact> facts = NotificationText.facts(payload);
            List<Map<String, Object>> fields = facts.subList(0, Math.min(MAX_FIELDS, facts.size()))
                    .stream()
                    .map(fact -> text("mrkdwn", cut("*" + fact.name() + "*\n" + escaped(fact.value()), MAX_FIELD)))
                    .toList();
            List<Object> blocks = new ArrayList<>();
            blocks.add(Map.of("type", "header", "text", text("plain_text", cut(headline, MAX_HEADER))));
            blocks.add(Map.of("type", "section", "fields", fields));
            String run = links.run(payload.run().id());
            String link = links.absolute()
                    ? "<" + escaped(run) + "|Run " + payload.run().id() + ">"
                    : "Run " + payload.run().id();
            blocks.add(Map.of("type", "context", "elements", List.of(text("mrkdwn", link))));
            return JSON.writeValueAsBytes(Map.of("text", escaped(headline), "blocks", blocks));
        }

        private static Map<String, Object> text(String type, String text) {
            return Map.of("type", type, "text", text);
        }

        /** Returns the three characters that Slack wants escaped: without them nobody can be mentioned and no link be made. */
        static String escaped(String text) {
            return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        }

        private static String cut(String text, int longest) {
            return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
        }
    }
}
