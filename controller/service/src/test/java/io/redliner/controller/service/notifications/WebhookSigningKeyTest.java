// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WebhookSigningKeyTest {

    @Test
    void signs_as_the_published_example_of_standard_webhooks() {
        WebhookSigningKey key = WebhookSigningKey.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

        assertThat(key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, "{\"test\": 2432232314}".getBytes(UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void a_secret_that_cannot_be_used_is_not_repeated() {
        assertThatThrownBy(() -> WebhookSigningKey.of("whsec_not*base64")).hasMessageContaining("base64")
                .hasMessageNotContaining("not*");
        assertThatThrownBy(() -> WebhookSigningKey.of("too-short")).hasMessageContaining("16 bytes")
                .hasMessageNotContaining("too-short");
        assertThat(WebhookSigningKey.of("a plain text of some length")).hasToString("SigningKey[hidden]");
    }
}
