// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.catalog;

import io.redliner.contract.Epochs;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The epochs that were reported for a service. A redirector follows no lease far above the epochs that it knows, so an
 * epoch far above all others does not come from a redirector. It must not hide the real ones: the next run needs a higher
 * epoch than those.
 */
final class ReportedEpochs {

    /** Most epochs that are kept. Redirectors report far fewer, since epochs close to each other are kept as one. */
    private static final int MAX_SIZE = 1_000;

    /** The epochs without which the others would not be in reach of the lowest one. */
    private final NavigableSet<Long> epochs = new TreeSet<>();

    void add(long epoch) {
        if (epoch > 0 && epochs.add(epoch)) {
            dropWhenBetween(epochs.lower(epoch));
            dropWhenBetween(epochs.higher(epoch));
            dropWhenBetween(epoch);
            if (epochs.size() > MAX_SIZE) {
                epochs.pollLast();
            }
        }
    }

    private void dropWhenBetween(@Nullable Long epoch) {
        Long lower = epoch == null ? null : epochs.lower(epoch);
        Long higher = epoch == null ? null : epochs.higher(epoch);
        if (lower != null && higher != null && higher - lower <= Epochs.MAX_JUMP) {
            epochs.remove(epoch);
        }
    }

    /** The highest epoch that is reached from the lowest one without a jump that no redirector follows; 0 when none is known. */
    long highest() {
        long reached = epochs.isEmpty() ? 0 : epochs.first();
        for (long epoch : epochs) {
            if (epoch - reached > Epochs.MAX_JUMP) {
                return reached;
            }
            reached = epoch;
        }
        return reached;
    }
}
