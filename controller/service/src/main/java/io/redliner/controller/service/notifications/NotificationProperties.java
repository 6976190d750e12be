// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.ChannelType;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the receivers of notifications, and of their content.
 *
 * @param targets receivers that plans refer to by name
 * @param secrets that plans refer to by name, to sign what goes to addresses in them
 * @param publicUrl where people find this controller; links in messages are paths without it
 * @param allowPrivateAddresses whether addresses in plans may be of loopback and private networks
 * @param capacityChange a capacity that differs by more than this ratio has changed
 * @param mailFrom who mails come from
 */
@ConfigurationProperties("redliner.controller.notify")
record NotificationProperties(@DefaultValue Map<String, Target> targets, @DefaultValue Map<String, String> secrets,
        @Nullable URI publicUrl, @DefaultValue("false") boolean allowPrivateAddresses,
        @DefaultValue("0.1") double capacityChange, @DefaultValue("redliner@localhost") String mailFrom) {

    /** @throws IllegalArgumentException when a value is outside its range */
    NotificationProperties {
        targets = Map.copyOf(targets);
        secrets = Map.copyOf(secrets);
        if (capacityChange < 0) {
            throw new IllegalArgumentException("redliner.controller.notify.capacity-change is not below 0");
        }
    }

    /**
     * A receiver with a name.
     *
     * @param url where to, for webhook and slack; text, so that no message about the settings repeats it
     * @param to addresses, for email
     * @param secret what messages of a webhook are signed with
     * @param allowPrivateAddresses whether the address may be of loopback and private networks
     */
    record Target(ChannelType kind, @Nullable String url, @DefaultValue List<String> to, @Nullable String secret,
            @DefaultValue("false") boolean allowPrivateAddresses) {

        @Override
        public String toString() {
            return "Target[" + kind + "]";
        }
    }

    @Override
    public String toString() {
        return "NotificationProperties[targets=" + targets.keySet() + ", secrets=" + secrets.keySet() + "]";
    }
}
