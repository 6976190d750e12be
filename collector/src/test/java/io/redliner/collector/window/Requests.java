// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Records of requests, each an object of its own. */
public final class Requests {

    private Requests() {}

    public static RequestReport started(String id, String instance, Instant at) {
        return new RequestReport().start(id, instance, micros(at));
    }

    public static RequestReport ended(String id, String instance, Instant at, Duration latency,
            @Nullable ErrorClass error) {
        return new RequestReport().end(id, instance, micros(at), latency.toNanos() / 1_000).failed(error);
    }

    /** The end of an attempt that began then. */
    public static RequestReport attempted(String id, String instance, Instant start, Duration duration, int status) {
        return new RequestReport().attempt(id, instance, micros(start), duration.toNanos() / 1_000).status(status);
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
