// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import java.util.UUID;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who speaks.
 *
 * @param redirector how this process is called in its statuses; made up when empty
 */
@ConfigurationProperties("redliner.redirector.messaging")
public record LeaseStatusProperties(@DefaultValue("") String redirector) {

    public LeaseStatusProperties {
        if (redirector.isBlank()) {
            redirector = "redirector-" + UUID.randomUUID();
        }
    }
}
