// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.NotificationPayload.Measured;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.RestoreProof;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A notice as JSON, in the shape that Standard Webhooks recommends: {@code type}, {@code timestamp}, {@code data}. */
final class WebhookBody {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private WebhookBody() {}

    static byte[] of(NotificationPayload payload, NotificationLinks links) {
        Map<String, Object> data = new LinkedHashMap<>();
        NotificationPayload.Run run = payload.run();
        NotificationPayload.End end = payload.end();
        data.put("event", payload.event());
        data.put("runId", run.id());
        data.put("service", run.service());
        data.put("sut", run.sut());
        data.put("plan", Map.of("name", run.planName(), "hash", run.planHash()));
        data.put("phase", run.phase());
        if (end != null) {
            data.put("outcome", end.outcome());
            Map<String, Object> reason = new LinkedHashMap<>();
            reason.put("code", end.stopCode());
            reason.put("detail", end.stopDetail());
            data.put("stopReason", reason);
        }
        put(data, "capacity", content(payload.capacity()));
        put(data, "previousCapacity", content(payload.previous()));
        if (payload.capacity() != null && payload.previous() != null) {
            data.put("change", finite(CapacityChange.ratio(payload.previous(), payload.capacity())));
        }
        Map<String, Object> harm = new LinkedHashMap<>();
        HarmDone done = payload.harm();
        harm.put("requests", done.byTest());
        put(harm, "allowed", done.budget());
        put(harm, "anyway", done.byItself());
        data.put("harm", harm);
        RestoreProof proof = payload.restored();
        put(data, "restore", proof == null ? null : proof.proof().name());
        put(data, "restoreDetail", proof == null ? null : proof.detail());
        data.put("links", links.of(payload));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "run." + payload.event());
        body.put("timestamp", payload.at().toString());
        body.put("data", data);
        return JSON.writeValueAsBytes(body);
    }

    private static @Nullable Map<String, Object> content(@Nullable Measured measured) {
        if (measured == null) {
            return null;
        }
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("requestsPerSecond", finite(measured.requestsPerSecond()));
        content.put("low", finite(measured.low()));
        content.put("high", finite(measured.high()));
        content.put("lowerBound", measured.lowerBound());
        content.put("limitingRule", measured.limitingRule());
        content.put("doubts", measured.certainty().doubts());
        content.put("certainty", measured.certainty());
        return content;
    }

    /** JSON has no word for what is not finite. */
    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private static void put(Map<String, Object> content, String name, @Nullable Object value) {
        if (value != null) {
            content.put(name, value);
        }
    }
}
