// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Subscription;
import io.redliner.controller.plan.yaml.NotifyReader;
import io.redliner.controller.service.persistence.RunJson;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries a message to its receiver, once. Where that is comes from the run's plan and from the settings of now. */
final class Courier {

    private final RunJson json;

    private final Receivers receivers;

    private final HttpPoster http;

    private final @Nullable Mailer mailer;

    private final Links links;

    private final InstantSource clock;

    /** @param mailer absent when no mail server is configured */
    Courier(RunJson json, Receivers receivers, HttpPoster http, @Nullable Mailer mailer, Links links,
            InstantSource clock) {
        this.json = json;
        this.receivers = receivers;
        this.http = http;
        this.mailer = mailer;
        this.links = links;
        this.clock = clock;
    }

    /** Makes one attempt. */
    Attempt carry(Message message) {
        Notice notice = json.read(message.content(), Notice.class);
        Destination destination = destination(message);
        return switch (destination) {
            case null -> Attempt.Failed.because("the controller's settings do not know the receiver any more");
            case Destination.Web web -> post(message, notice, web);
            case Destination.Mailbox mailbox -> mailer == null
                    ? Attempt.Failed.because("no mail server is configured any more")
                    : mailer.send(message.id(), notice, mailbox);
        };
    }

    private @Nullable Destination destination(Message message) {
        try {
            List<Subscription> subscriptions = NotifyReader.ofStored(message.plan());
            return message.entry() < subscriptions.size()
                    ? receivers.find(subscriptions.get(message.entry()).receiver()).orElse(null)
                    : null;
        } catch (InvalidPlanException outdated) {
            return null;
        }
    }

    private Attempt post(Message message, Notice notice, Destination.Web web) {
        byte[] body = web.kind() == Kind.SLACK
                ? SlackBody.of(notice, links)
                : WebhookBody.of(notice, links);
        return http.post(web.url(), headers(message, web, body, clock.instant()), body, web.privateAllowed());
    }

    /** Those of Standard Webhooks; the timestamp is the attempt's, so that receivers can refuse what is old. */
    private static Map<String, String> headers(Message message, Destination.Web web, byte[] body, Instant now) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", message.id());
        headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
        if (web.key() != null) {
            headers.put("webhook-signature", web.key().sign(message.id(), now.getEpochSecond(), body));
        }
        return headers;
    }
}
