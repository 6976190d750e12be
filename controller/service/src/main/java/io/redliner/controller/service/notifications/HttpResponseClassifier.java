// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Set;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** Finds out from a receiver's HTTP response whether a message was delivered, and whether another attempt may succeed. */
final class HttpResponseClassifier {

    private static final int GONE = 410;

    private static final int TOO_MANY = 429;

    /** Request timeout, too early, too many requests: another attempt may be taken. */
    private static final Set<Integer> MAY_PASS = Set.of(408, 425, TOO_MANY);

    private static final int UNAVAILABLE = 503;

    private HttpResponseClassifier() {}

    static DeliveryResult judge(HttpResponse response, Instant now) {
        int status = response.getCode();
        if (status >= 200 && status < 300) {
            return new DeliveryResult.Delivered();
        }
        if (status == GONE) {
            return new DeliveryResult.Refused("answered 410, gone for good");
        }
        if (status >= 300 && status < 400) {
            return new DeliveryResult.Rejected("answered " + status + "; redirects are not followed");
        }
        if (status >= 400 && status < 500 && !MAY_PASS.contains(status)) {
            return new DeliveryResult.Rejected("answered " + status);
        }
        boolean retryAfterAllowed = status == TOO_MANY || status == UNAVAILABLE;
        return new DeliveryResult.Failed("answered " + status,
                retryAfterAllowed ? retryAfter(response.getFirstHeader("Retry-After"), now) : null);
    }

    /** Seconds or a date (RFC 9110, 10.2.3); absent when it is neither, or in the past. */
    private static @Nullable Duration retryAfter(@Nullable Header header, Instant now) {
        String value = header == null || header.getValue() == null ? "" : header.getValue().strip();
        Duration pause;
        if (value.matches("\\d{1,9}")) {
            pause = Duration.ofSeconds(Long.parseLong(value));
        } else {
            try {
                pause = Duration.between(now, DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from));
            } catch (DateTimeParseException neither) {
                return null;
            }
        }
        return pause.isPositive() ? pause : null;
    }
}
