// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.limit;

import java.time.Duration;
import java.util.Locale;

/**
 * A limit of the proxies that RedLiner chose, because the services file names none, and requests that it ended. What the service
 * would have answered is not known: it is neither an error of the service nor a good answer.
 *
 * @param value milliseconds of a timeout, requests of a circuit breaker
 * @param ended requests that the limit ended
 * @param requests all that ended in the same time, those included
 */
public record OwnLimit(Kind kind, long value, long ended, long requests) {

    /** The thing that is limited. */
    public enum Kind {
        /** Time until the end of an answer. */
        ROUTE_TIMEOUT,
        /** Time without a byte of a request or an answer. */
        IDLE_TIMEOUT,
        /** Requests that a proxy may have under way. */
        CIRCUIT_BREAKER
    }

    /** A single request may hang for reasons of its own. */
    private static final long MIN_ENDED = 3;

    /**
     * A limit that ends one of at most this number of requests is no exception: rules of a thousandth are the strictest usual ones.
     */
    private static final long MAX_REQUESTS_PER_ENDED = 1_000;

    private static final long MILLIS_IN_SECOND = 1_000;

    private static final double PERCENT = 100;

    public OwnLimit {
        if (value < 0 || ended < 0 || requests < ended) {
            throw new IllegalArgumentException(
                    "a limit of " + value + " ended " + ended + " of " + requests + " requests");
        }
    }

    /** Returns whether the limit ended more requests than exceptions would explain. */
    public boolean matters() {
        return matters(ended, requests);
    }

    /** Returns whether a limit that ended this number of these requests ended more than exceptions would explain. */
    public static boolean matters(long ended, long requests) {
        return ended >= MIN_ENDED && ended >= requests / MAX_REQUESTS_PER_ENDED;
    }

    /** Such as "RedLiner's own route timeout of 15s ended 40% of the requests of shop (12 of 30): set ...". */
    public String describe(String service) {
        return "RedLiner's own " + switch (kind) {
            case ROUTE_TIMEOUT -> "route timeout of " + time() + " ended " + share(service)
                    + ": set 'timeout' of the service in the services file, 0s for none";
            case IDLE_TIMEOUT -> "idle timeout of " + time() + " ended " + share(service)
                    + ": let the service or its clients send something more often";
            case CIRCUIT_BREAKER -> "circuit breaker of " + value + " requests under way refused " + share(service)
                    + ": set 'circuitBreakers' of the service in the services file";
        };
    }

    private String share(String service) {
        double percent = PERCENT * ended / Math.max(1, requests);
        return String.format(Locale.ROOT, percent >= 1 ? "%.0f%%" : "%.2f%%", percent) + " of the requests of "
                + service
                + " (" + ended + " of " + requests + ")";
    }

    private String time() {
        Duration time = Duration.ofMillis(value);
        if (value % MILLIS_IN_SECOND != 0) {
            return value + "ms";
        }
        return time.toSecondsPart() == 0 && value > 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
    }
}
