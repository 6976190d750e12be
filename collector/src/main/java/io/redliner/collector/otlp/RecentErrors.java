// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The errors of messages in the last five minutes, by sender; not more than a screenful. */
final class RecentErrors {

    private static final Duration LIFE = Duration.ofMinutes(5);

    private static final int MAX_SENDERS = 10;

    private static final int MAX_LENGTH = 120;

    private final Map<String, RecentError> bySender = new LinkedHashMap<>();

    private record RecentError(String message, Instant at) {}

    /** Adds an error; the last one of each sender counts. */
    synchronized void add(String sender, String message, Instant now) {
        String name = shortened(sender);
        forget(now);
        if (bySender.size() < MAX_SENDERS || bySender.containsKey(name)) {
            bySender.put(name, new RecentError(shortened(message), now));
        }
    }

    /** Removes the error of a sender, if it begins with the given words. */
    synchronized void remove(String sender, String beginning) {
        bySender.computeIfPresent(shortened(sender),
                (name, error) -> error.message().startsWith(beginning) ? null : error);
    }

    /** Returns the errors of the last five minutes. */
    synchronized Map<String, String> recent(Instant now) {
        forget(now);
        Map<String, String> recent = new TreeMap<>();
        bySender.forEach((sender, error) -> recent.put(sender, error.message()));
        return recent;
    }

    private void forget(Instant now) {
        Instant oldest = now.minus(LIFE);
        bySender.values().removeIf(error -> error.at().isBefore(oldest));
    }

    private static String shortened(String text) {
        return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
    }
}
