// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.GaugeMeasurement;
import java.util.Collection;
import java.util.List;

/** Something that should be measured could not be. */
public final class ProbeFailedException extends Exception {

    private static final int MAX_SHOWN = 10;

    private static final long serialVersionUID = 1L;

    private final transient List<GaugeMeasurement> measured;

    /**
     * With what could be measured all the same.
     *
     * @param reason what failed and of which instances, in a sentence that says what to do
     */
    public ProbeFailedException(String reason, List<GaugeMeasurement> measured) {
        super(reason);
        this.measured = List.copyOf(measured);
    }

    /** What could be measured. */
    public List<GaugeMeasurement> measured() {
        return measured;
    }

    /** The first ten, and how many more there are. */
    public static String words(Collection<String> reasons) {
        String some = String.join("; ", reasons.stream().limit(MAX_SHOWN).toList());
        return reasons.size() > MAX_SHOWN ? some + "; and " + (reasons.size() - MAX_SHOWN) + " more" : some;
    }
}
