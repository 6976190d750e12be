// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.ChannelKey;
import io.redliner.controller.core.notification.ChannelType;
import io.redliner.controller.plan.NotificationChannel;
import io.redliner.controller.plan.Sha256;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The notification channels: resolves a receiver that a plan names to the destination in the controller's settings. */
final class ChannelRegistry {

    private final Map<String, ChannelDestination> targets = new TreeMap<>();

    private final Map<String, WebhookSigningKey> keys = new TreeMap<>();

    private final boolean privateAllowed;

    private final boolean mail;

    /**
     * Checks the settings.
     *
     * @param mail whether a mail server is configured
     * @throws IllegalArgumentException when a target or a secret is invalid; the message has neither its address nor its secret
     */
    ChannelRegistry(NotificationProperties properties, boolean mail) {
        this.privateAllowed = properties.allowPrivateAddresses();
        this.mail = mail;
        properties.secrets().forEach((name, secret) -> keys.put(name, key("secrets." + name, secret)));
        properties.targets().forEach((name, target) -> targets.put(name, destination(name, target)));
    }

    /**
     * Returns the key of a receiver in the database. A receiver that is no longer in the settings has a key as
     * well, because it may be configured again.
     */
    ChannelKey key(NotificationChannel channel) {
        ChannelDestination destination = destination(channel);
        ChannelType type = destination == null ? ChannelType.WEBHOOK : destination.kind();
        String key = receiver(channel);
        // All mail goes through one server.
        return new ChannelKey(key, type, channel.shown(), type == ChannelType.EMAIL ? "email" : key);
    }

    /** Returns the destination of a receiver; empty when it is not configured, or no mail server is. */
    Optional<ChannelDestination> find(NotificationChannel channel) {
        return fault(channel).isPresent() ? Optional.empty() : Optional.ofNullable(destination(channel));
    }

    /** Returns the reason why no message can be sent to a receiver, for the plan's author; empty when one can. */
    Optional<String> fault(NotificationChannel channel) {
        if (channel instanceof NotificationChannel.Named named && !targets.containsKey(named.name())) {
            return Optional.of("no target " + named.name() + " is configured (redliner.controller.notify.targets)"
                    + configured(targets));
        }
        if (channel instanceof NotificationChannel.Webhook webhook && webhook.secret() != null
                && !keys.containsKey(webhook.secret())) {
            return Optional.of("no secret " + webhook.secret() + " is configured (redliner.controller.notify.secrets)"
                    + configured(keys));
        }
        return destination(channel) instanceof ChannelDestination.Mailbox && !mail
                ? Optional.of("mail cannot be sent: no mail server is configured (spring.mail.host)")
                : Optional.empty();
    }

    private static String configured(Map<String, ?> all) {
        return all.isEmpty() ? "; there is none" : "; there are " + String.join(", ", all.keySet());
    }

    private @Nullable ChannelDestination destination(NotificationChannel channel) {
        return switch (channel) {
            case NotificationChannel.Named named -> targets.get(named.name());
            case NotificationChannel.Webhook webhook -> new ChannelDestination.Web(ChannelType.WEBHOOK, webhook.url(),
                    webhook.secret() == null ? null : keys.get(webhook.secret()), privateAllowed);
            case NotificationChannel.Slack slack ->
                new ChannelDestination.Web(ChannelType.SLACK, slack.url(), null, privateAllowed);
            case NotificationChannel.Email email -> new ChannelDestination.Mailbox(email.addresses());
        };
    }

    /** Returns a text that identifies a receiver. Addresses are hashed, because some contain a secret. */
    private static String receiver(NotificationChannel channel) {
        return switch (channel) {
            case NotificationChannel.Named named -> "target:" + named.name();
            case NotificationChannel.Webhook webhook -> "webhook:" + Sha256.hex(webhook.url().toString());
            case NotificationChannel.Slack slack -> "slack:" + Sha256.hex(slack.url().toString());
            case NotificationChannel.Email email -> "email:" + Sha256.hex(String.join(",", email.addresses()));
        };
    }

    private ChannelDestination destination(String name, NotificationProperties.Target target) {
        String where = "targets." + name;
        if (target.kind() == ChannelType.EMAIL) {
            return new ChannelDestination.Mailbox(addresses(where, target.to()));
        }
        WebhookSigningKey key = target.secret() == null ? null : key(where + ".secret", target.secret());
        return new ChannelDestination.Web(target.kind(), url(where, target.url()), key,
                privateAllowed || target.allowPrivateAddresses());
    }

    private static List<String> addresses(String where, List<String> to) {
        try {
            return new NotificationChannel.Email(to).addresses();
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "redliner.controller.notify." + where + ".to " + invalid.getMessage(), invalid);
        }
    }

    private static URI url(String where, @Nullable String url) {
        try {
            return NotificationChannel.requireUrl(URI.create(url == null ? "" : url));
        } catch (IllegalArgumentException invalid) {
            // The cause is dropped, because its message may contain the address.
            throw new IllegalArgumentException(
                    "redliner.controller.notify." + where + ".url is no address; write it as https://host/path");
        }
    }

    private static WebhookSigningKey key(String where, String secret) {
        try {
            return WebhookSigningKey.of(secret);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "redliner.controller.notify." + where + ": " + invalid.getMessage(), invalid);
        }
    }
}
