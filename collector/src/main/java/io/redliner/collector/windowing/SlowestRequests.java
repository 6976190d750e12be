// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The slowest requests of one instance in one window whose trace is kept. For one thread. */
final class SlowestRequests {

    /** The gauge of the seconds that a request took; its trace is in brackets. */
    static final String GAUGE = "requests.slowest";

    private static final int KEPT = 3;

    private static final double MICROS_IN_SECOND = 1e6;

    /** The flag of a trace that somebody keeps. */
    private static final int SAMPLED = 1;

    /** The value of {@code traceparent}, as the W3C's Trace Context has it: version, trace, parent and flags. */
    private static final Pattern W3C = Pattern
            .compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]([0-9a-f])(-.*)?");

    /** The value of {@code x-b3-traceid}, and of {@code b3}: trace, span and sampling state. */
    private static final Pattern B3 = Pattern
            .compile("([0-9a-f]{32}|[0-9a-f]{16})(-[0-9a-f]{16}(-[1d](-[0-9a-f]{16})?)?)?");

    private static final Pattern NO_TRACE = Pattern.compile("0+");

    /** The slowest first. */
    private final List<TracedRequest> slowest = new ArrayList<>(KEPT + 1);

    private record TracedRequest(long latencyMicros, String traceId) {}

    void end(RequestRecord end) {
        if (end.traceContext().isEmpty()
                || (slowest.size() == KEPT && slowest.getLast().latencyMicros() >= end.latencyMicros())) {
            return;
        }
        traceId(end.traceContext()).ifPresent(id -> {
            slowest.removeIf(same -> same.traceId().equals(id) && same.latencyMicros() < end.latencyMicros());
            if (slowest.stream().noneMatch(same -> same.traceId().equals(id))) {
                slowest.add(new TracedRequest(end.latencyMicros(), id));
                slowest.sort(Comparator.comparingLong(TracedRequest::latencyMicros).reversed());
            }
        });
        if (slowest.size() > KEPT) {
            slowest.removeLast();
        }
    }

    /** Returns a gauge for each, in seconds. */
    Map<String, Double> gauges() {
        Map<String, Double> gauges = new TreeMap<>();
        slowest.forEach(request -> gauges.put(GAUGE + "[" + request.traceId() + "]",
                request.latencyMicros() / MICROS_IN_SECOND));
        return gauges;
    }

    /**
     * Returns the id of a trace, 16 or 32 hexadecimal digits; empty when the header has none, or says that nobody keeps it.
     *
     * @param header the value of {@code traceparent}, {@code b3} or {@code x-b3-traceid}
     */
    static Optional<String> traceId(String header) {
        Matcher w3c = W3C.matcher(header);
        Matcher b3 = B3.matcher(header);
        return (w3c.matches()
                ? Optional.of(w3c.group(1)).filter(id -> (Character.digit(w3c.group(2).charAt(0), 16) & SAMPLED) != 0)
                : b3.matches() ? Optional.of(b3.group(1)) : Optional.<String>empty())
                .filter(id -> !NO_TRACE.matcher(id).matches());
    }
}
