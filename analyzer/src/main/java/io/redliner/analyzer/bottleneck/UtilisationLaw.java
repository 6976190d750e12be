// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.sla.Unit;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * The utilisation law U = X D (Denning and Buzen 1978), with what the resource does without requests: U = U0 + X D. By
 * least squares over the blocks. It is evidence and no answer: extrapolated, it promises far too much.
 *
 * @param demand D, seconds of the whole resource for each request
 * @param demandError standard error of it
 * @param idle U0
 * @param explained of the variance, 0 to 1
 */
record UtilisationLaw(KnownGauge gauge, double demand, double demandError, double idle, double explained) {

    private static final int FEWEST = 4;

    /** Empty when there are too few blocks with the gauge, or all have the same load. */
    static Optional<UtilisationLaw> fit(PeakIdleComparison knee, KnownGauge gauge) {
        var regression = new SimpleRegression();
        regression.addData(knee.pairs(block -> block.sut().throughput(),
                block -> block.level(gauge).map(level -> level.mean()).orElse(Double.NaN)));
        if (regression.getN() < FEWEST || !Double.isFinite(regression.getSlope())
                || !Double.isFinite(regression.getSlopeStdErr())) {
            return Optional.empty();
        }
        double explained = regression.getRSquare();
        return Optional.of(new UtilisationLaw(gauge, regression.getSlope(), regression.getSlopeStdErr(),
                regression.getIntercept(), Double.isFinite(explained) ? explained : 0));
    }

    /** Requests/s at which the resource would be full; NaN when its use does not grow with the load. */
    double full() {
        return demand > 2 * demandError && demand > 0 ? Math.max(0, (1 - idle) / demand) : Double.NaN;
    }

    String words() {
        return Double.isNaN(full())
                ? "; it does not follow the load"
                : "; by the utilisation law it is full at " + NamedValue.words(full(), Unit.REQUESTS_PER_SECOND);
    }

    List<NamedValue> figures() {
        String name = gauge.gaugeName() + ".demand";
        return List.of(new NamedValue(name, demand, Unit.SECONDS),
                new NamedValue(name + ".error", demandError, Unit.SECONDS),
                new NamedValue(gauge.gaugeName() + ".idle", idle, Unit.RATIO),
                new NamedValue(name + ".explained", explained, Unit.RATIO));
    }
}
