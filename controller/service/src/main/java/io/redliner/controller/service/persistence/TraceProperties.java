// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where people look at traces.
 *
 * @param url an http or https URL with {@value #ID} in place of a trace's id; absent: traces have no links
 */
@ConfigurationProperties("redliner.controller.traces")
record TraceProperties(@Nullable String url) {

    private static final String ID = "{traceId}";

    private static final String EXAMPLE = "https://traces.example/trace/" + ID;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException when it is no such URL
     */
    TraceProperties {
        if (url != null && !url.isEmpty() && !(url.matches("https?://.+") && url.contains(ID) && isUri(url))) {
            throw new IllegalArgumentException(
                    "redliner.controller.traces.url is a URL with " + ID + " in it, such as " + EXAMPLE + "; not "
                            + url);
        }
    }

    private static boolean isUri(String url) {
        try {
            return URI.create(url.replace(ID, "0")).getHost() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    /** Returns the place of a trace; empty when the settings name none. */
    Optional<URI> link(String traceId) {
        return url == null || url.isEmpty() ? Optional.empty() : Optional.of(URI.create(url.replace(ID, traceId)));
    }
}
