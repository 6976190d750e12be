// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

/** Requests in the order of their arrival, with the number of times that their clients tried before. A ring. */
final class RequestQueue {

    private static final int SIZE = 1 << 15;

    private final double[] times = new double[SIZE];

    private final int[] retries = new int[SIZE];

    private long head;

    /** Everything before this one was looked at for its client's timeout. */
    private long patient;

    private long tail;

    int size() {
        return (int) (tail - head);
    }

    boolean isEmpty() {
        return head == tail;
    }

    void add(double time, int retried) {
        if (size() == SIZE) {
            throw new IllegalStateException("more than " + SIZE + " requests wait");
        }
        times[index(tail)] = time;
        retries[index(tail)] = retried;
        tail++;
    }

    double firstTime() {
        return isEmpty() ? Double.POSITIVE_INFINITY : times[index(head)];
    }

    int firstRetries() {
        return retries[index(head)];
    }

    /** Whether the first one's client gave up. */
    boolean firstAbandoned() {
        return patient > head;
    }

    void removeFirst() {
        head++;
        patient = Math.max(patient, head);
    }

    /** The first one whose client still waits. */
    double firstPatientTime() {
        return patient == tail ? Double.POSITIVE_INFINITY : times[index(patient)];
    }

    int firstPatientRetries() {
        return retries[index(patient)];
    }

    void abandonFirstPatient() {
        patient++;
    }

    private static int index(long position) {
        return (int) (position & (SIZE - 1));
    }
}
