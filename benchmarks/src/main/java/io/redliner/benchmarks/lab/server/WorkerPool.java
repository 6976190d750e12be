// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

/** The requests that are being served, the one that is done first at the front. A binary heap. */
final class WorkerPool {

    private final double[] ends;

    private final double[] arrivals;

    private final boolean[] abandoned;

    private int busy;

    WorkerPool(int count) {
        ends = new double[count];
        arrivals = new double[count];
        abandoned = new boolean[count];
    }

    int busy() {
        return busy;
    }

    boolean anyIdle() {
        return busy < ends.length;
    }

    double firstEnd() {
        return busy == 0 ? Double.POSITIVE_INFINITY : ends[0];
    }

    double firstArrival() {
        return arrivals[0];
    }

    /** Whether the first one's client was counted as gone. */
    boolean firstAbandoned() {
        return abandoned[0];
    }

    void begin(double end, double arrival, boolean gone) {
        int hole = busy++;
        while (hole > 0 && ends[(hole - 1) / 2] > end) {
            move((hole - 1) / 2, hole);
            hole = (hole - 1) / 2;
        }
        set(hole, end, arrival, gone);
    }

    void removeFirst() {
        busy--;
        if (busy == 0) {
            return;
        }
        double end = ends[busy];
        int hole = 0;
        for (int child = 1; child < busy; child = 2 * hole + 1) {
            if (child + 1 < busy && ends[child + 1] < ends[child]) {
                child++;
            }
            if (ends[child] >= end) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        set(hole, end, arrivals[busy], abandoned[busy]);
    }

    /** Everything stands still for a while. */
    void pause(double seconds) {
        for (int i = 0; i < busy; i++) {
            ends[i] += seconds;
        }
    }

    private void move(int from, int to) {
        set(to, ends[from], arrivals[from], abandoned[from]);
    }

    private void set(int at, double end, double arrival, boolean gone) {
        ends[at] = end;
        arrivals[at] = arrival;
        abandoned[at] = gone;
    }
}
