// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.plan.SutChoice.Label;
import io.redliner.controller.plan.SutChoice.Selected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An instance that could be tested now.
 *
 * @param facts the facts that were reported about it
 * @param testedAt when it was tested last; absent when it was not, or long ago
 */
public record SutCandidate(String address, InstanceFacts facts, @Nullable Instant testedAt) {

    /** Returns true when the instance has all wanted labels. An unknown label does not match. */
    boolean has(Selected wanted) {
        return wanted.labels()
                .entrySet()
                .stream()
                .allMatch(label -> label.getValue().equals(value(label.getKey())));
    }

    @Nullable
    String value(Label label) {
        return switch (label) {
            case VERSION -> facts.version();
            case HARDWARE -> facts.hardware();
            case FAILURE_DOMAIN -> facts.failureDomain();
        };
    }
}
