// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.document.YamlParser;
import io.redliner.controller.plan.NotificationChannel;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import java.net.URI;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a plan's receivers of notifications and their events. */
public final class NotificationReader {

    private static final int MAX_RECEIVERS = 20;

    private static final int MAX_URL = 2000;

    private static final List<String> KINDS = List.of("target", "webhook", "slack", "email");

    private NotificationReader() {}

    /**
     * Reads the subscriptions of a stored plan, and no other part of it.
     *
     * @throws InvalidDocumentException when they cannot be read
     */
    public static List<NotificationSubscription> ofStored(String plan) throws InvalidDocumentException {
        return NodeReader.readPart(YamlParser.read(plan), root -> read(root.object("spec")));
    }

    /** Reads the section {@code notify}; empty when it is absent. */
    static List<NotificationSubscription> read(NodeReader spec) {
        Set<NotificationChannel> receivers = new HashSet<>();
        return spec.read(spec.list("notify", MAX_RECEIVERS,
                "is one receiver too many; there may be " + MAX_RECEIVERS), fields -> {
                    NotificationSubscription subscription = subscription(fields);
                    if (subscription == null || receivers.add(subscription.receiver())) {
                        return subscription;
                    }
                    fields.mistake("names a receiver a second time; list its events in one place");
                    return null;
                });
    }

    private static @Nullable NotificationSubscription subscription(NodeReader fields) {
        NotificationChannel receiver = receiver(fields);
        Set<NotificationEvent> on = events(fields);
        return fields.make(() -> new NotificationSubscription(requireNonNull(receiver), on));
    }

    private static @Nullable NotificationChannel receiver(NodeReader fields) {
        NotificationChannel named = fields.optional("target", NotificationChannel.Named::new);
        URI webhook = fields.optionalSecret("webhook", NotificationReader::url);
        URI slack = fields.optionalSecret("slack", NotificationReader::url);
        List<YamlNode> email = fields.list("email", false);
        List<String> given = KINDS.stream().filter(fields::has).toList();
        if (given.size() != 1) {
            fields.mistake("must have one of " + String.join(", ", KINDS));
            fields.optional("secret");
            return null;
        }
        String secret = given.getFirst().equals("webhook")
                ? fields.optional("secret", NotificationChannel::requireName)
                : null;
        return switch (given.getFirst()) {
            case "target" -> named;
            case "webhook" -> webhook == null ? null : new NotificationChannel.Webhook(webhook, secret);
            case "slack" -> slack == null ? null : new NotificationChannel.Slack(slack);
            default -> email(fields, email);
        };
    }

    private static NotificationChannel.@Nullable Email email(NodeReader fields, List<YamlNode> entries) {
        List<String> addresses = fields.convert(entries, NotificationChannel.Email::requireAddress);
        return fields.sound() ? fields.attempt("email", () -> new NotificationChannel.Email(addresses)) : null;
    }

    private static URI url(String text) {
        if (text.length() > MAX_URL) {
            throw new IllegalArgumentException("is longer than " + MAX_URL + " characters");
        }
        return NotificationChannel.requireUrl(parse(text));
    }

    private static URI parse(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException malformed) {
            // The cause has the address in its message.
            throw new IllegalArgumentException("is no address; write it as https://host/path");
        }
    }

    private static Set<NotificationEvent> events(NodeReader fields) {
        List<YamlNode> entries = fields.list("on", false);
        if (!fields.has("on")) {
            return NotificationEvent.USUAL;
        }
        Set<NotificationEvent> on = EnumSet.noneOf(NotificationEvent.class);
        fields.convert(entries, text -> {
            NotificationEvent event = PlanReader.known(NotificationEvent.values(), text);
            if (!on.add(event)) {
                throw new IllegalArgumentException("is there twice");
            }
            return event;
        });
        if (entries.isEmpty() && fields.sound()) {
            fields.mistake("on", "must name at least one event; known are "
                    + String.join(", ", Stream.of(NotificationEvent.values()).map(PlanReader::written).toList()));
        }
        return on;
    }
}
