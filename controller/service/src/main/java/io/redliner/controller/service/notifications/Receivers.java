// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.plan.Receiver;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Knows where the receivers of plans are, by the controller's settings. */
final class Receivers {

    private final Map<String, Destination> targets = new TreeMap<>();

    private final Map<String, SigningKey> keys = new TreeMap<>();

    private final boolean privateAllowed;

    private final boolean mail;

    /**
     * Checks the settings.
     *
     * @param mail whether a mail server is configured
     * @throws IllegalArgumentException when a target or a secret cannot be used; without its address and secret
     */
    Receivers(NotifyProperties properties, boolean mail) {
        this.privateAllowed = properties.allowPrivateAddresses();
        this.mail = mail;
        properties.secrets().forEach((name, secret) -> keys.put(name, key("secrets." + name, secret)));
        properties.targets().forEach((name, target) -> targets.put(name, destination(name, target)));
    }

    /**
     * How a receiver is called in the database.
     *
     * @param key one per receiver
     * @param shown for everybody's eyes
     * @param lane what has the same is sent one after the other
     */
    record Name(String key, Kind kind, String shown, String lane) {}

    /** What a receiver is called; also one that the settings do not know any more, as they may know it again. */
    Name name(Receiver receiver) {
        Destination destination = destination(receiver);
        Kind kind = destination == null ? Kind.WEBHOOK : destination.kind();
        String key = key(receiver);
        // All mail goes through one server.
        return new Name(key, kind, receiver.shown(), kind == Kind.EMAIL ? "email" : key);
    }

    /** Where a receiver is; empty when the settings do not know it, or there is no mail server. */
    Optional<Destination> find(Receiver receiver) {
        return fault(receiver).isPresent() ? Optional.empty() : Optional.ofNullable(destination(receiver));
    }

    /** Why nobody can be told there, in words for whoever wrote the plan; empty when they can. */
    Optional<String> fault(Receiver receiver) {
        if (receiver instanceof Receiver.Named named && !targets.containsKey(named.name())) {
            return Optional.of("no target " + named.name() + " is configured (redliner.controller.notify.targets)"
                    + known(targets));
        }
        if (receiver instanceof Receiver.Webhook webhook && webhook.secret() != null
                && !keys.containsKey(webhook.secret())) {
            return Optional.of("no secret " + webhook.secret() + " is configured (redliner.controller.notify.secrets)"
                    + known(keys));
        }
        return destination(receiver) instanceof Destination.Mailbox && !mail
                ? Optional.of("mail cannot be sent: no mail server is configured (spring.mail.host)")
                : Optional.empty();
    }

    private static String known(Map<String, ?> all) {
        return all.isEmpty() ? "; there is none" : "; there are " + String.join(", ", all.keySet());
    }

    private @Nullable Destination destination(Receiver receiver) {
        return switch (receiver) {
            case Receiver.Named named -> targets.get(named.name());
            case Receiver.Webhook webhook -> new Destination.Web(Kind.WEBHOOK, webhook.url(),
                    webhook.secret() == null ? null : keys.get(webhook.secret()), privateAllowed);
            case Receiver.Slack slack -> new Destination.Web(Kind.SLACK, slack.url(), null, privateAllowed);
            case Receiver.Email email -> new Destination.Mailbox(email.addresses());
        };
    }

    private static String key(Receiver receiver) {
        return switch (receiver) {
            case Receiver.Named named -> "target:" + named.name();
            case Receiver.Webhook webhook -> "webhook:" + digest(webhook.url().toString());
            case Receiver.Slack slack -> "slack:" + digest(slack.url().toString());
            case Receiver.Email email -> "email:" + digest(String.join(",", email.addresses()));
        };
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private Destination destination(String name, NotifyProperties.Target target) {
        String where = "targets." + name;
        if (target.kind() == Kind.EMAIL) {
            return new Destination.Mailbox(addresses(where, target.to()));
        }
        SigningKey key = target.secret() == null ? null : key(where + ".secret", target.secret());
        return new Destination.Web(target.kind(), url(where, target.url()), key,
                privateAllowed || target.allowPrivateAddresses());
    }

    private static List<String> addresses(String where, List<String> to) {
        try {
            return new Receiver.Email(to).addresses();
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "redliner.controller.notify." + where + ".to " + invalid.getMessage(), invalid);
        }
    }

    private static URI url(String where, @Nullable String url) {
        try {
            return Receiver.requireUrl(URI.create(url == null ? "" : url));
        } catch (IllegalArgumentException invalid) {
            // The cause may have the address in its message.
            throw new IllegalArgumentException(
                    "redliner.controller.notify." + where + ".url is no address; write it as https://host/path");
        }
    }

    private static SigningKey key(String where, String secret) {
        try {
            return SigningKey.of(secret);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "redliner.controller.notify." + where + ": " + invalid.getMessage(), invalid);
        }
    }
}
