// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The loads in the verdicts of a run, and the highest of them that is possible. The SUT gets no more than its service, and
 * the service no more than it usually gets, so a few forged windows among many do not count. For one thread.
 */
public final class MeasuredLoad {

    /** The largest ratio of the SUT's rate to its service's: the service's rate is smoothed, and may have doubled since. */
    private static final double TOLERANCE = 2;

    private static final int MAX_WINDOWS = 2_400;

    private final Deque<Window> windows = new ArrayDeque<>();

    /** The rates of one window, in requests/s. */
    private record Window(double sut, double service) {}

    /** Adds the window of a verdict of this run. */
    public void add(WindowVerdict verdict, RunFacts facts) {
        if (!verdict.concerns(facts)) {
            return;
        }
        if (windows.size() == MAX_WINDOWS) {
            windows.removeFirst();
        }
        windows.addLast(new Window(verdict.sut().requestsPerSecond(),
                verdict.rateKnown() ? verdict.serviceRequestsPerSecond() : 0));
    }

    /** Returns the rate at the SUT in the busiest possible window, in requests/s; null before the first window. */
    public @Nullable Double highest() {
        if (windows.isEmpty()) {
            return null;
        }
        double[] services = windows.stream().mapToDouble(Window::service).sorted().toArray();
        double usual = services[(services.length - 1) / 2];
        return windows.stream()
                .filter(window -> possible(window.sut(), window.service()) && possible(window.sut(), usual))
                .mapToDouble(Window::sut).max().orElse(0);
    }

    /** Returns true when a SUT can get this rate while its service gets that one, both in requests/s. */
    static boolean possible(double sut, double service) {
        return Double.isFinite(sut) && sut <= TOLERANCE * service;
    }
}
