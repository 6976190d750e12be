// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.collector.windowing.OwnLimits.OwnLimitEnds;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.limit.OwnLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once, with or without a run, that a limit of RedLiner's own ends a part of a service's requests. For one thread. */
public final class OwnLimitReport {

    private static final Logger log = LoggerFactory.getLogger(OwnLimitReport.class);

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /**
     * A limit may be reported again after this time without a request that it ended. The end of a run makes its counts begin
     * anew.
     */
    private static final Duration MEMORY = Duration.ofMinutes(1);

    private record Reported(String service, ProxyLimit limit, long value) {}

    private final WindowAggregator windows;

    /** The limits that were reported, with the last time at which they ended requests. */
    private final Map<Reported, Instant> reported = new HashMap<>();

    private Instant next = Instant.MIN;

    private volatile Consumer<String> listener = text -> {};

    OwnLimitReport(WindowAggregator windows) {
        this.windows = windows;
    }

    /** Passes each text to the listener from now on, on any thread. The listener must not block. */
    public void listen(Consumer<String> wanted) {
        listener = wanted;
    }

    /** Reports limits that ended requests in the last minute; does its work at most once a second. */
    void report(Instant now) {
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(INTERVAL);
        windows.ownLimits(now).forEach((service, limits) -> limits.forEach(ends -> {
            OwnLimit limit = limit(ends);
            Reported one = new Reported(service, ends.limit(), ends.value());
            // What is few now may have mattered before: it is reported once until it is over.
            if (reported.containsKey(one)) {
                reported.put(one, now);
            } else if (limit.matters()) {
                reported.put(one, now);
                String text = limit.describe(service);
                log.warn(text);
                listener.accept(text);
            }
        }));
        reported.values().removeIf(reportedAt -> Duration.between(reportedAt, now).compareTo(MEMORY) > 0);
    }

    private static OwnLimit limit(OwnLimitEnds ends) {
        return new OwnLimit(switch (ends.limit()) {
            case ROUTE_TIMEOUT -> OwnLimit.Kind.ROUTE_TIMEOUT;
            case IDLE_TIMEOUT -> OwnLimit.Kind.IDLE_TIMEOUT;
            case CIRCUIT_BREAKER -> OwnLimit.Kind.CIRCUIT_BREAKER;
        }, ends.value(), ends.ended(), ends.requests());
    }
}
