// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import java.util.ArrayList;
import java.util.List;

/** What a test costs the users of the server under test. */
public final class HarmCalculator {

    private static final double PERIOD_SECONDS = 5;

    private static final double BREACH = 2;

    private static final double FREE = 3;

    private final double windowSeconds;

    private final double slowAllowed;

    private final List<Counts> windows = new ArrayList<>();

    private final List<Counts> peers = new ArrayList<>();

    private long requests;

    private long bad;

    /**
     * The whole of it.
     *
     * @param testedSeconds until the search ended
     * @param requests at the server under test
     * @param bad of those, late or failed
     * @param excess late requests beyond the allowance plus failed ones beyond theirs, by periods of five seconds: a quiet
     *            period does not pay for a bad one
     * @param net the same beyond the part of their requests for which the simulated peers were late or failed in that period:
     *            users would have been harmed so without a test, too
     * @param breachSeconds in which the last five seconds had more than twice the allowance
     * @param longestBreachSeconds in a row
     */
    public record Sum(double testedSeconds, long requests, long bad, double excess, double net, double breachSeconds,
            double longestBreachSeconds) {}

    private record Counts(double served, double slow, double completed, double errors) {

        static final Counts NONE = new Counts(0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(served + other.served, slow + other.slow, completed + other.completed,
                    errors + other.errors);
        }

        double excess(double slowAllowed, Counts peers) {
            double usuallySlow = peers.served > 0 ? peers.slow / peers.served : 0;
            double usuallyFailed = peers.completed > 0 ? peers.errors / peers.completed : 0;
            return Math.max(0, slow - Math.max(slowAllowed, usuallySlow) * served)
                    + Math.max(0, errors - Math.max(ServerKind.FAILED_ALLOWED, usuallyFailed) * completed);
        }

        boolean breach(double slowAllowed) {
            return slow > BREACH * slowAllowed * served + FREE
                    || errors > BREACH * ServerKind.FAILED_ALLOWED * completed + FREE;
        }
    }

    HarmCalculator(double windowSeconds, double slowAllowed) {
        this.windowSeconds = windowSeconds;
        this.slowAllowed = slowAllowed;
    }

    void count(FleetWindow window) {
        windows.add(counts(window.sut()));
        peers.add(window.peers().stream().map(HarmCalculator::counts).reduce(Counts.NONE, Counts::plus));
        requests += window.sut().arrivals();
        bad += window.sut().slow() + window.sut().rejects();
    }

    private static Counts counts(ServerWindowCounts window) {
        return new Counts(window.served(), window.slow(), window.completed(), window.errors());
    }

    Sum sum(double testedSeconds) {
        int period = (int) Math.max(1, Math.round(PERIOD_SECONDS / windowSeconds));
        double excess = 0;
        double net = 0;
        for (int i = 0; i + period <= windows.size(); i += period) {
            var sut = together(windows, i, period);
            excess += sut.excess(slowAllowed, Counts.NONE);
            net += sut.excess(slowAllowed, together(peers, i, period));
        }
        int breaches = 0;
        int longest = 0;
        int current = 0;
        for (int i = 0; i + period <= windows.size(); i++) {
            current = together(windows, i, period).breach(slowAllowed) ? current + 1 : 0;
            breaches += current > 0 ? 1 : 0;
            longest = Math.max(longest, current);
        }
        return new Sum(testedSeconds, requests, bad, excess, net, breaches * windowSeconds, longest * windowSeconds);
    }

    private static Counts together(List<Counts> windows, int from, int count) {
        return windows.subList(from, from + count).stream().reduce(Counts.NONE, Counts::plus);
    }
}
