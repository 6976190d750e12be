// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.GaugeMeasurement;
import java.util.Collection;
import java.util.List;

/** Thrown when a probe could not measure everything that it should. */
public final class ProbeFailedException extends Exception {

    private static final int MAX_SHOWN = 10;

    private static final long serialVersionUID = 1L;

    private final transient List<GaugeMeasurement> measured;

    /**
     * Creates the exception with the measurements that succeeded all the same.
     *
     * @param reason what failed and for which instances, in a sentence that says what to do
     */
    public ProbeFailedException(String reason, List<GaugeMeasurement> measured) {
        super(reason);
        this.measured = List.copyOf(measured);
    }

    /** Returns the measurements that succeeded. */
    public List<GaugeMeasurement> measured() {
        return measured;
    }

    /** Joins the first ten reasons, and says how many more there are. */
    public static String join(Collection<String> reasons) {
        String some = String.join("; ", reasons.stream().limit(MAX_SHOWN).toList());
        return reasons.size() > MAX_SHOWN ? some + "; and " + (reasons.size() - MAX_SHOWN) + " more" : some;
    }
}
