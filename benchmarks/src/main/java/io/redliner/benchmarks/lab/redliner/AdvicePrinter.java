// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.run.WindowResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A line whenever the advice is another one. For one run. */
public final class AdvicePrinter implements AnalysisListener {

    private final PrintStream out;

    private @Nullable String last;

    public AdvicePrinter(PrintStream out) {
        this.out = out;
    }

    @Override
    public void analyzed(ServerFleet fleet, WindowResult analysis) {
        var advice = analysis.advice();
        String now = advice.step() + " " + advice.action() + " " + advice.reason();
        if (now.equals(last)) {
            return;
        }
        last = now;
        out.println(String.format(Locale.ROOT, "%s %7.1f s  step %d %s %s -> %.1f/s  %s%s", fleet.kind().name(),
                fleet.seconds(), advice.step(), advice.phase(), advice.action(), advice.requestsPerSecond(),
                advice.reason(), advice.estimate().map(it -> String.format(Locale.ROOT, "  [%.1f in %.1f..%.1f]",
                        it.capacity(), it.low(), it.high())).orElse("")));
    }
}
