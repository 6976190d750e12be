// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.windowing.GaugeMeasurement;
import java.util.List;

/** Something that should be measured could not be. */
public final class ProbeFailedException extends Exception {

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
}
