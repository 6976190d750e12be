// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import java.util.UUID;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The name of the redirector in its messages.
 *
 * @param redirector name of this process in its statuses; a random one when empty
 */
@ConfigurationProperties("redliner.redirector.messaging")
public record LeaseStatusProperties(@DefaultValue("") String redirector) {

    public LeaseStatusProperties {
        if (redirector.isBlank()) {
            redirector = "redirector-" + UUID.randomUUID();
        }
    }
}
