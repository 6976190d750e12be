// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Requests of the confirm phase by the load at which they arrived, in pieces of a few seconds. Traffic that moves inside a step is
 * seen by a piece, and not by the step's mean load. A request beyond a latency limit shows when it passes the limit; it is moved
 * back by the limit, to the window in which it arrived.
 *
 * @param pending last windows, whose slow requests are not all known, oldest first
 * @param currentPiece the piece that is not full
 * @param full pieces, oldest first
 */
public record LoadPieces(List<Piece> pending, Piece currentPiece, List<Piece> full) {

    /** Requests after which a piece is full. */
    private static final double REQUESTS = 3_000;

    private static final double MIN_SECONDS = 1;

    private static final double MAX_SECONDS = 6;

    private static final int MAX_PIECES = 600;

    /** Longest latency limit whose slow requests are moved back. The windows of that time are kept. */
    private static final double MAX_LIMIT_SECONDS = 30;

    /** Time before a stall in which requests met it. */
    private static final double BEFORE_STALL_SECONDS = 1;

    static final LoadPieces NONE = new LoadPieces(List.of(), Piece.EMPTY, List.of());

    /**
     * Consecutive windows.
     *
     * @param counted true when the load was held near the knee, and no queue was left from before
     * @param exceeding requests that arrived in the windows and exceeded a limit sooner or later, by limit
     */
    public record Piece(boolean counted, ArrivalCounts arrivals, Map<String, Double> exceeding) {

        static final Piece EMPTY = new Piece(true, ArrivalCounts.NONE, Map.of());

        public Piece {
            exceeding = SortedMaps.copyOf(exceeding);
        }

        Piece plus(Piece other) {
            var sum = new TreeMap<>(exceeding);
            other.exceeding.forEach((limit, count) -> sum.merge(limit, count, Double::sum));
            return new Piece(counted, arrivals.plus(other.arrivals), sum);
        }

        private Piece exceeding(String limit, double count) {
            var sum = new TreeMap<>(exceeding);
            sum.merge(limit, count, Double::sum);
            return new Piece(counted, arrivals, sum);
        }

        private Piece uncounted() {
            return new Piece(false, arrivals, exceeding);
        }

        private boolean isFull() {
            return arrivals.seconds() >= MAX_SECONDS - 1e-6
                    || (arrivals.arrived() >= REQUESTS && arrivals.seconds() >= MIN_SECONDS - 1e-6);
        }
    }

    public LoadPieces {
        pending = List.copyOf(pending);
        full = List.copyOf(full);
    }

    /**
     * Returns the pieces after another window.
     *
     * @param counted true when the load is held near the knee, and no queue is left from before
     */
    LoadPieces next(SearchInput window, ArrivalCounts arrivals, boolean counted) {
        var windows = new ArrayList<>(pending);
        windows.add(new Piece(counted, arrivals, Map.of()));
        // A window in which a limit has no data does not make the slow requests of the windows before it known.
        int longest = pending.size();
        for (var limit : window.limits()) {
            double seconds = limit.latencySeconds().orElse(0);
            if (limit.proportion().isPresent() && seconds <= MAX_LIMIT_SECONDS) {
                int delay = (int) Math.round(seconds / window.seconds());
                longest = Math.max(longest, delay);
                int arrival = windows.size() - 1 - delay;
                if (arrival >= 0) {
                    windows.set(arrival, windows.get(arrival).exceeding(limit.key(),
                            (double) limit.proportion().get().exceeding()));
                }
            }
        }
        int known = Math.max(0, windows.size() - longest);
        var next = new LoadPieces(windows.subList(known, windows.size()), currentPiece, full);
        for (var earlier : windows.subList(0, known)) {
            next = next.arrived(earlier);
        }
        return next;
    }

    /** Leaves out the last windows: what arrived in them met a stall. */
    LoadPieces stalled(double windowSeconds) {
        int met = (int) Math.ceil(BEFORE_STALL_SECONDS / windowSeconds);
        return new LoadPieces(pending.stream().map(Piece::uncounted).toList(),
                pending.size() >= met ? currentPiece : Piece.EMPTY, full);
    }

    /** Leaves out the windows whose slow requests are not all known: time is missing after them. */
    LoadPieces interrupted() {
        return new LoadPieces(List.of(), Piece.EMPTY, all());
    }

    /** Returns all pieces, the last one included. */
    List<Piece> all() {
        return currentPiece.arrivals().arrived() > 0 ? SearchHistory.append(full, currentPiece) : full;
    }

    private LoadPieces arrived(Piece window) {
        if (!window.counted()) {
            return new LoadPieces(pending, Piece.EMPTY, all());
        }
        var longer = currentPiece.plus(window);
        return longer.isFull()
                ? new LoadPieces(pending, Piece.EMPTY, newest(SearchHistory.append(full, longer)))
                : new LoadPieces(pending, longer, full);
    }

    /** Returns the newest pieces: a search that looks for a fine precision has very many. */
    private static List<Piece> newest(List<Piece> pieces) {
        return pieces.size() <= MAX_PIECES ? pieces : pieces.subList(pieces.size() - MAX_PIECES, pieces.size());
    }
}
