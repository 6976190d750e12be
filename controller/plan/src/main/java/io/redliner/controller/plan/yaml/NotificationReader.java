// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.NotificationChannel;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a plan's receivers of notifications and their events. */
public final class NotificationReader {

    private static final int MAX_RECEIVERS = 20;

    private static final int MAX_URL = 2000;

    private static final List<String> KINDS = List.of("target", "webhook", "slack", "email");

    private final ValidationErrors errors;

    private NotificationReader(ValidationErrors errors) {
        this.errors = errors;
    }

    /**
     * Reads the subscriptions of a stored plan, and no other part of it.
     *
     * @throws InvalidPlanException when they cannot be read
     */
    public static List<NotificationSubscription> ofStored(String plan) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader spec = NodeReader.of(YamlParser.read(plan), errors).optionalObject("spec");
        List<NotificationSubscription> subscriptions = spec == null ? List.of() : read(spec, errors);
        errors.throwIfAny();
        return subscriptions;
    }

    /** Reads the section {@code notify}; empty when it is absent. Its mistakes are added to the errors. */
    static List<NotificationSubscription> read(NodeReader spec, ValidationErrors errors) {
        return new NotificationReader(errors).read(spec.list("notify", false));
    }

    private List<NotificationSubscription> read(List<YamlNode> entries) {
        if (entries.size() > MAX_RECEIVERS) {
            errors.add(entries.get(MAX_RECEIVERS), "is one receiver too many; there may be " + MAX_RECEIVERS);
            return List.of();
        }
        List<NotificationSubscription> subscriptions = new ArrayList<>();
        for (YamlNode entry : entries) {
            NodeReader fields = NodeReader.of(entry, errors);
            int before = errors.size();
            NotificationChannel receiver = receiver(fields);
            Set<NotificationEvent> on = events(fields);
            fields.rejectOthers();
            if (errors.size() > before || receiver == null) {
                continue;
            }
            if (subscriptions.stream().anyMatch(other -> other.receiver().equals(receiver))) {
                errors.add(entry, "names a receiver a second time; list its events in one place");
            } else {
                subscriptions.add(new NotificationSubscription(receiver, on));
            }
        }
        return subscriptions;
    }

    private @Nullable NotificationChannel receiver(NodeReader fields) {
        NotificationChannel named = fields.optionalIfAny("target", NotificationChannel.Named::new);
        URI webhook = url(fields, fields.optional("webhook"));
        URI slack = url(fields, fields.optional("slack"));
        List<YamlNode> email = fields.list("email", false);
        List<String> given = KINDS.stream().filter(fields.object().fields()::containsKey).toList();
        if (given.size() != 1) {
            errors.add(fields.object(), "must have one of " + String.join(", ", KINDS));
            fields.optional("secret");
            return null;
        }
        String secret = given.getFirst().equals("webhook")
                ? fields.optionalIfAny("secret", NotificationChannel::requireName)
                : null;
        return switch (given.getFirst()) {
            case "target" -> named;
            case "webhook" -> webhook == null ? null : new NotificationChannel.Webhook(webhook, secret);
            case "slack" -> slack == null ? null : new NotificationChannel.Slack(slack);
            default -> email(fields, email);
        };
    }

    private NotificationChannel.@Nullable Email email(NodeReader fields, List<YamlNode> entries) {
        List<String> addresses = new ArrayList<>();
        for (YamlNode entry : entries) {
            String address = fields.convert(entry, NotificationChannel.Email::requireAddress);
            if (address != null) {
                addresses.add(address);
            }
        }
        YamlNode.Items items = items(fields, "email");
        if (addresses.size() < entries.size() || items == null) {
            return null;
        }
        try {
            return new NotificationChannel.Email(addresses);
        } catch (IllegalArgumentException invalid) {
            errors.add(items, String.valueOf(invalid.getMessage()));
            return null;
        }
    }

    /**
     * Reads an address. Its messages do not repeat the value, unlike those of other fields, because an address may be a
     * secret.
     */
    private @Nullable URI url(NodeReader fields, @Nullable YamlNode value) {
        String text = value == null ? null : fields.convert(value, Function.identity());
        if (value == null || text == null) {
            return null;
        }
        try {
            if (text.length() > MAX_URL) {
                throw new IllegalArgumentException("is longer than " + MAX_URL + " characters");
            }
            return NotificationChannel.requireUrl(parse(text));
        } catch (IllegalArgumentException invalid) {
            errors.add(value, String.valueOf(invalid.getMessage()));
            return null;
        }
    }

    private static URI parse(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException malformed) {
            // The cause has the address in its message.
            throw new IllegalArgumentException("is no address; write it as https://host/path");
        }
    }

    private Set<NotificationEvent> events(NodeReader fields) {
        List<YamlNode> entries = fields.list("on", false);
        if (!fields.object().fields().containsKey("on")) {
            return NotificationEvent.USUAL;
        }
        Set<NotificationEvent> on = EnumSet.noneOf(NotificationEvent.class);
        for (YamlNode entry : entries) {
            NotificationEvent event = fields.convert(entry,
                    text -> PlanReader.known(NotificationEvent.values(), text));
            if (event != null && !on.add(event)) {
                errors.add(entry, "is there twice");
            }
        }
        YamlNode.Items items = items(fields, "on");
        if (entries.isEmpty() && items != null) {
            errors.add(items, "must name at least one event; known are "
                    + String.join(", ", Stream.of(NotificationEvent.values()).map(PlanReader::written).toList()));
        }
        return on;
    }

    private static YamlNode.@Nullable Items items(NodeReader fields, String name) {
        YamlNode.Field field = fields.object().fields().get(name);
        return field != null && field.value() instanceof YamlNode.Items items ? items : null;
    }
}
