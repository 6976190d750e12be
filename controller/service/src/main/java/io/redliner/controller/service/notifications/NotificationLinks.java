// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Links to the run and to the service's capacities. */
final class NotificationLinks {

    private final String base;

    /** @param publicUrl absent: links are paths */
    NotificationLinks(@Nullable URI publicUrl) {
        String url = publicUrl == null ? "" : publicUrl.toString();
        this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** Returns true when the links have a host, so that they can be followed from anywhere. */
    boolean absolute() {
        return !base.isEmpty();
    }

    String run(String id) {
        return base + "/api/v1/runs/" + id;
    }

    Map<String, String> of(NotificationPayload payload) {
        Map<String, String> links = new LinkedHashMap<>();
        links.put("run", run(payload.run().id()));
        links.put("steps", run(payload.run().id()) + "/steps");
        links.put("capacities", base + "/api/v1/capacities/" + payload.run().service());
        return links;
    }
}
