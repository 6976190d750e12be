// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

/**
 * What happens by slice, the present one and the next few: some ends are known before their time. Whether a request was
 * overdue follows from when it began and ended, so nothing has to be remembered of each.
 */
final class TimeSliceCounters {

    private final double limit;

    private final ServerWindowCounts[] slices;

    private long present;

    private long inFlight;

    TimeSliceCounters(double limitSeconds, double furthestSeconds) {
        limit = limitSeconds;
        slices = new ServerWindowCounts[(int) Math.ceil(furthestSeconds / SimulatedServer.SLICE_SECONDS) + 3];
        for (int i = 0; i < slices.length; i++) {
            slices[i] = new ServerWindowCounts();
        }
    }

    void arrived(double time) {
        at(present).arrivals++;
        at(sliceOf(time + limit)).newlyOverdue++;
    }

    void rejected() {
        at(present).arrivals++;
        at(present).rejects++;
    }

    void succeeded(double arrival, double end) {
        var slice = ended(arrival, end);
        slice.succeeded(end - arrival);
        if (end - arrival > limit) {
            slice.slow++;
        }
    }

    void timedOut(double arrival, double end) {
        ended(arrival, end).timeouts++;
    }

    /** The present slice is over. */
    void close(double busyWorkerSeconds, ServerWindowCounts into) {
        var slice = at(present);
        slice.busyWorkerSeconds = busyWorkerSeconds;
        inFlight += slice.arrivals - slice.completed();
        slice.inFlight = inFlight;
        into.add(slice);
        slice.clear();
        present++;
    }

    private ServerWindowCounts ended(double arrival, double end) {
        long ending = Math.max(present, sliceOf(end));
        long passing = sliceOf(arrival + limit);
        if (ending <= passing) {
            at(passing).newlyOverdue--;
        } else {
            at(ending).settled++;
        }
        return at(ending);
    }

    private ServerWindowCounts at(long slice) {
        return slices[(int) Math.min(slice, present + slices.length - 1) % slices.length];
    }

    private static long sliceOf(double time) {
        return (long) (time / SimulatedServer.SLICE_SECONDS);
    }
}
