// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One condition of an object's status, in the shape of {@code metav1.Condition}.
 *
 * @param status True, False or Unknown
 * @param reason one word, for machines
 * @param message one sentence, for people
 * @param lastTransitionTime when the status became what it is, in seconds
 */
record Condition(String type, String status, String reason, String message, Instant lastTransitionTime,
        long observedGeneration) {

    static final String TRUE = "True";

    static final String FALSE = "False";

    static final String UNKNOWN = "Unknown";

    /** @throws NullPointerException when a field is missing */
    void requireComplete() {
        Objects.requireNonNull(type);
        Objects.requireNonNull(status);
        Objects.requireNonNull(reason);
        Objects.requireNonNull(message);
        Objects.requireNonNull(lastTransitionTime);
    }

    /** Returns the condition of a type. */
    static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
    }

    /** Returns the conditions with this one in the place of that of its type, which keeps its time unless the status changes. */
    static List<Condition> replace(List<Condition> conditions, Condition changed) {
        Instant since = find(conditions, changed.type()).filter(old -> old.status().equals(changed.status()))
                .map(Condition::lastTransitionTime)
                .orElse(changed.lastTransitionTime().truncatedTo(ChronoUnit.SECONDS));
        Condition dated = new Condition(changed.type(), changed.status(), changed.reason(), changed.message(), since,
                changed.observedGeneration());
        return find(conditions, changed.type()).isPresent()
                ? conditions.stream().map(old -> old.type().equals(changed.type()) ? dated : old).toList()
                : Stream.concat(conditions.stream(), Stream.of(dated)).toList();
    }
}
