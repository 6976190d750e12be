// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.sla.MetricUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A number that shows how full a resource is.
 *
 * @param name in findings
 * @param peak at the highest loads; NaN when it was not measured
 * @param idle at the natural load; NaN when it was not measured, or has no meaning there
 * @param source the gauge whose parts name the resource or its users, e.g. {@code pool.busy[jdbc]}
 * @param relative whether the peak value already is relative to the idle state, and no used part of a resource
 */
record Figure(String name, MetricUnit unit, ToDoubleFunction<PeakIdleComparison> peak,
        ToDoubleFunction<PeakIdleComparison> idle, KnownGauge source, boolean relative) {

    static Figure of(KnownGauge gauge) {
        return new Figure(gauge.gaugeName(), gauge.unit(), comparison -> comparison.top(gauge),
                comparison -> comparison.rest(gauge), gauge, false);
    }

    /** Creates a figure whose peak value already is relative to the idle state. */
    static Figure derived(String name, ToDoubleFunction<PeakIdleComparison> peak, KnownGauge source) {
        return new Figure(name, MetricUnit.RATIO, peak, comparison -> Double.NaN, source, true);
    }

    /** Returns the values at the peak and at idle, as far as they are known. */
    List<NamedValue> values(PeakIdleComparison comparison) {
        var values = new ArrayList<NamedValue>();
        if (Double.isFinite(peak.applyAsDouble(comparison))) {
            values.add(new NamedValue(name, peak.applyAsDouble(comparison), unit));
        }
        if (Double.isFinite(idle.applyAsDouble(comparison))) {
            values.add(new NamedValue(name + ".rest", idle.applyAsDouble(comparison), unit));
        }
        return values;
    }
}
