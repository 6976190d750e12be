// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.notification.ChannelKey;
import io.redliner.controller.core.notification.ChannelType;
import io.redliner.controller.plan.NotificationChannel;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChannelRegistryTest {

    private static final String PREFIX = "redliner.controller.notify.";

    private static ChannelRegistry receivers(Map<String, Object> settings, boolean mail) {
        return new ChannelRegistry(NotifyScene.bind(settings, NotificationProperties.class), mail);
    }

    @Test
    void nothing_has_to_be_configured() {
        NotificationProperties notifications = NotifyScene.bind(Map.of(), NotificationProperties.class);
        DeliveryProperties properties = NotifyScene.bind(Map.of(), DeliveryProperties.class);

        assertThat(notifications.targets()).isEmpty();
        assertThat(notifications.allowPrivateAddresses()).isFalse();
        assertThat(properties.timeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(properties.longestAge()).isEqualTo(Duration.ofHours(24));
        assertThat(properties.claim()).isEqualTo(Duration.ofSeconds(60));
        assertThat(properties.keep()).isEqualTo(Duration.ofDays(30));
    }

    @Test
    void a_target_is_known_by_name_and_keeps_its_address_to_itself() {
        ChannelRegistry receivers = receivers(
                Map.of(PREFIX + "targets.pager.kind", "slack", PREFIX + "targets.pager.url",
                        "http://10.0.0.1/top-secret", PREFIX + "targets.pager.allow-private-addresses", "true"),
                false);
        NotificationChannel pager = new NotificationChannel.Named("pager");

        assertThat(receivers.find(pager)).hasValueSatisfying(destination -> {
            assertThat(destination).isInstanceOfSatisfying(ChannelDestination.Web.class, web -> {
                assertThat(web.url()).isEqualTo(URI.create("http://10.0.0.1/top-secret"));
                assertThat(web.privateAllowed()).isTrue();
            });
            assertThat(destination.toString()).doesNotContain("top-secret");
        });
        assertThat(receivers.key(pager))
                .isEqualTo(new ChannelKey("target:pager", ChannelType.SLACK, "pager", "target:pager"));
        assertThat(receivers.fault(new NotificationChannel.Named("other"))).hasValueSatisfying(
                fault -> assertThat(fault).contains("no target other", "pager").doesNotContain("top-secret"));
    }

    @Test
    void what_is_not_there_is_reported() {
        ChannelRegistry none = receivers(Map.of(), false);
        URI url = URI.create("https://example.com/top-secret");

        assertThat(none.fault(new NotificationChannel.Webhook(url, null))).isEmpty();
        assertThat(none.fault(new NotificationChannel.Webhook(url, "shop"))).hasValueSatisfying(
                fault -> assertThat(fault).contains("no secret shop").doesNotContain("top-secret"));
        assertThat(none.fault(new NotificationChannel.Email(List.of("a@b.c")))).hasValueSatisfying(
                fault -> assertThat(fault).contains("no mail server", "spring.mail.host"));
        assertThat(receivers(Map.of(), true).fault(new NotificationChannel.Email(List.of("a@b.c")))).isEmpty();
        assertThat(none.key(new NotificationChannel.Webhook(url, null))).asString().doesNotContain("top-secret");
    }

    @Test
    void settings_that_cannot_be_used_are_reported_without_their_values() {
        assertThatThrownBy(() -> receivers(Map.of(PREFIX + "targets.pager.kind", "webhook",
                PREFIX + "targets.pager.url", "no address top-secret"), false))
                .hasMessageContaining("targets.pager.url")
                .hasMessageNotContaining("top-secret");
        assertThatThrownBy(() -> receivers(Map.of(PREFIX + "secrets.shop", "top-secret"), false))
                .hasMessageContaining("secrets.shop")
                .hasMessageNotContaining("top-secret");
        assertThat(NotifyScene.bind(Map.of(PREFIX + "secrets.shop", "top-secret", PREFIX + "targets.pager.kind",
                "webhook", PREFIX + "targets.pager.url", "https://a.b/top-secret"), NotificationProperties.class))
                .asString()
                .contains("shop", "pager")
                .doesNotContain("top-secret");
    }
}
