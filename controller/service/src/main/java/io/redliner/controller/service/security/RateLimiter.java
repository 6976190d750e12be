// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.EstimationProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Optional;

/** Limits requests per key and minute, in memory; the same number may come at once. The oldest keys are forgotten. */
final class RateLimiter {

    private static final int MAX_KEYS = 10_000;

    private final Cache<String, Bucket> buckets = Caffeine.newBuilder().maximumSize(MAX_KEYS).build();

    private final long perMinute;

    private final TimeMeter meter;

    RateLimiter(long perMinute) {
        this(perMinute, TimeMeter.SYSTEM_NANOTIME);
    }

    /** @param meter time source that a change of the wall clock does not affect */
    RateLimiter(long perMinute, TimeMeter meter) {
        this.perMinute = perMinute;
        this.meter = meter;
    }

    /** Takes one token. Returns the time to wait when none is left; empty when the request may proceed. */
    Optional<Duration> take(String key) {
        ConsumptionProbe probe = bucket(key).tryConsumeAndReturnRemaining(1);
        return probe.isConsumed() ? Optional.empty() : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /** Returns the time to wait when no token is left; takes none. */
    Optional<Duration> exhausted(String key) {
        EstimationProbe probe = bucket(key).estimateAbilityToConsume(1);
        return probe.canBeConsumed()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    private Bucket bucket(String key) {
        return buckets.get(key,
                unknown -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, Duration.ofMinutes(1)))
                        .withCustomTimePrecision(meter)
                        .build());
    }
}
