// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Records of requests, each an object of its own. */
public final class Requests {

    private Requests() {}

    public static RequestRecord started(String id, String instance, Instant at) {
        return new RequestRecord().start(id, instance, micros(at));
    }

    public static RequestRecord ended(String id, String instance, Instant at, Duration latency,
            @Nullable RequestError error) {
        return new RequestRecord().end(id, instance, micros(at), latency.toNanos() / 1_000).failed(error);
    }

    /** The end of an attempt that began then. */
    public static RequestRecord attempted(String id, String instance, Instant start, Duration duration, int status) {
        return new RequestRecord().attempt(id, instance, micros(start), duration.toNanos() / 1_000).status(status);
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
