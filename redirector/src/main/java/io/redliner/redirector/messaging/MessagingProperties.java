// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.messaging;

import java.util.UUID;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who speaks.
 *
 * @param redirector how this process is called in its statuses; made up when empty
 */
@ConfigurationProperties("redliner.redirector.messaging")
public record MessagingProperties(@DefaultValue("") String redirector) {

    public MessagingProperties {
        if (redirector.isBlank()) {
            redirector = "redirector-" + UUID.randomUUID();
        }
    }
}
