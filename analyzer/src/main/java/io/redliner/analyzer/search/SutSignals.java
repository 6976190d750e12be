// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.sla.Scope;
import io.redliner.sla.WindowStats;
import java.util.List;

/**
 * Measurements of the SUT that every phase of the search uses, updated in each window.
 *
 * @param seconds since the search began
 * @param load that arrives, smoothed over 1.5 s, requests/s
 * @param throughput completed requests/s, smoothed over 1 s
 * @param recent arrivals of the last four seconds, by window, oldest first
 * @param inFlight requests in flight at the end of the last window
 * @param stalled true when hardly any request completed in a window although requests arrived
 * @param saturation time with far more requests in flight than at the baseline
 * @param shares that were requested
 */
public record SutSignals(double seconds, double load, double throughput, List<ArrivalCounts> recent, long inFlight,
        boolean stalled, Crowding saturation, RequestedShares shares) {

    private static final double LOAD_SECONDS = 1.5;

    private static final double THROUGHPUT_SECONDS = 1;

    private static final double RECENT_SECONDS = 4;

    private static final double MIN_EXPECTED = 15;

    private static final double STALLED = 0.3;

    private static final double ARRIVING = 0.4;

    static final SutSignals NOTHING = new SutSignals(0, Double.NaN, 0, List.of(), 0, false, Crowding.NONE,
            RequestedShares.NONE);

    /**
     * Time with far more requests in flight than at the baseline. The throughput in that time is the highest that the server has.
     *
     * @param now true when the last window was crowded
     * @param seconds of crowded windows that followed another crowded window
     * @param completed requests that did not fail in those seconds
     */
    public record Crowding(boolean now, double seconds, double completed) {

        private static final double CROWDED = 2.5;

        private static final double MIN_IN_FLIGHT = 10;

        static final Crowding NONE = new Crowding(false, 0, 0);

        Crowding next(SearchInput window, double load, double baselineLatency, double succeeded) {
            boolean crowded = baselineLatency > 0 && window.inFlight() > MIN_IN_FLIGHT
                    && window.inFlight() > CROWDED * load * baselineLatency;
            return crowded && now
                    ? new Crowding(true, seconds + window.seconds(), completed + succeeded)
                    : new Crowding(crowded, seconds, completed);
        }

        /** Ends the crowded time at a stall, which is no saturation. */
        Crowding interrupted() {
            return new Crowding(false, seconds, completed);
        }

        double throughput() {
            return completed / seconds;
        }

        /** Returns the relative error of the throughput. */
        double error() {
            return Math.max(0.015, 1.5 / Math.sqrt(completed));
        }
    }

    /**
     * The shares that the controller requested for the SUT.
     *
     * @param orders shares that were requested in the last second, oldest first
     * @param serviceLoad the service's smoothed rate after the last window, requests/s; NaN before it
     * @param held true when the SLA held in the last window
     */
    public record RequestedShares(List<Double> orders, double serviceLoad, boolean held) {

        /** Delay until a share takes effect. */
        private static final double LAG_SECONDS = 1;

        static final RequestedShares NONE = new RequestedShares(List.of(), Double.NaN, false);

        public RequestedShares {
            orders = List.copyOf(orders);
        }

        RequestedShares next(SearchInput window, SearchAdvice advice) {
            int lag = (int) Math.max(1, Math.round(LAG_SECONDS / window.seconds()));
            return new RequestedShares(last(SearchHistory.append(orders, order(advice, window)), lag + 1),
                    window.loads().service(), window.sla().holds());
        }

        /** Returns the share in effect in the last window. */
        double inEffect() {
            return orders.getFirst();
        }

        /** Returns the share that the controller requested after the last window. It raises the share only when the SLA held. */
        private double order(SearchAdvice advice, SearchInput window) {
            double before = orders.isEmpty()
                    ? window.loads().natural() / window.loads().service()
                    : orders.getLast();
            if (!(advice.requestsPerSecond() > 0) || !(serviceLoad > 0)) {
                return before;
            }
            double wanted = advice.requestsPerSecond() / serviceLoad;
            return wanted <= before || (held && advice.action() != Action.SHED) ? wanted : before;
        }
    }

    public SutSignals {
        recent = List.copyOf(recent);
    }

    /**
     * Returns the signals after another window.
     *
     * @param advice given after the window before
     * @param baselineLatency mean time at the SUT at its natural load, seconds; 0 while unknown
     */
    SutSignals next(SearchInput window, SearchAdvice advice, double baselineLatency) {
        double length = window.seconds();
        double completed = window.sla().measurements().of(Scope.SUT).map(WindowStats::completed).orElse(0L);
        double errors = window.sla().measurements().of(Scope.SUT).map(WindowStats::errors).orElse(0L);
        boolean stall = throughput * length >= MIN_EXPECTED && completed - errors < STALLED * throughput * length
                && window.requestsPerSecond() * length > ARRIVING * throughput * length;
        var newShares = shares.next(window, advice);
        var arrivals = ArrivalCounts.of(window, newShares.inEffect());
        double newLoad = smooth(load, window.requestsPerSecond(), length / LOAD_SECONDS);
        return new SutSignals(seconds + length, newLoad, smooth(throughput, completed / length,
                length / THROUGHPUT_SECONDS), last(SearchHistory.append(recent, arrivals), RECENT_SECONDS / length),
                window.inFlight(), stalled || stall,
                stalled || stall
                        ? saturation.interrupted()
                        : saturation.next(window, newLoad, baselineLatency, completed - errors),
                newShares);
    }

    SutSignals recovered() {
        return new SutSignals(seconds, load, throughput, recent, inFlight, false, saturation, shares);
    }

    /** Returns the arrivals of the last window. */
    ArrivalCounts arrivals() {
        return recent.getLast();
    }

    /** Returns the mean load of the last seconds, at most of the four that are kept. */
    double recentLoad(double lastSeconds, double windowSeconds) {
        return last(recent, Math.max(1, lastSeconds / windowSeconds)).stream()
                .reduce(ArrivalCounts.NONE, ArrivalCounts::plus)
                .requestsPerSecond();
    }

    private static <T> List<T> last(List<T> list, double count) {
        return list.subList(Math.max(0, list.size() - (int) Math.round(count)), list.size());
    }

    private static double smooth(double before, double now, double windows) {
        return Double.isNaN(before) ? now : before + (1 - Math.exp(-windows)) * (now - before);
    }
}
