// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

import java.util.PriorityQueue;

/**
 * One server, event by event. Clients see it through a proxy that gives up for them. The same seed gives the same server.
 * For one thread.
 */
public final class SimulatedServer {

    /** Arrivals have a constant rate for so long. */
    public static final double SLICE_SECONDS = 0.2;

    private final ServerKind kind;

    private final RandomVariates chance;

    private final WorkerPool workers;

    private final RequestQueue queue = new RequestQueue();

    /** Clients that will try again, by when. */
    private final RequestQueue retries = new RequestQueue();

    private final TimeSliceCounters account;

    private double now;

    private long slice;

    private double pauseEnd;

    private double linkFree;

    private long requests;

    private double nextCollection;

    private double nextStall;

    private double nextArrival;

    private double arrivalInterval;

    private double busyWorkerSeconds;

    private Noise noise = Noise.NONE;

    private double nextBurst;

    private double burstEnd;

    private double burstFactor = 1;

    private double usedOfQuota;

    private double quotaPeriodEnd;

    /** When each connection to what is behind is free, the first one at the front. */
    private final PriorityQueue<Double> connections = new PriorityQueue<>();

    public SimulatedServer(ServerKind kind, long seed) {
        this.kind = kind;
        chance = new RandomVariates(seed);
        workers = new WorkerPool(kind.workers());
        account = new TimeSliceCounters(kind.limitSeconds(),
                Math.max(kind.limitSeconds(), kind.queue().timeoutSeconds()));
        nextCollection = kind.collections().everyRequests() > 0
                ? kind.collections().everyRequests() * chance.uniform()
                : Double.POSITIVE_INFINITY;
        nextStall = kind.stalls().meanIntervalSeconds() > 0
                ? chance.exponential(kind.stalls().meanIntervalSeconds())
                : Double.POSITIVE_INFINITY;
        nextBurst = kind.bursts().nextAfter(0, chance);
        quotaPeriodEnd = kind.quota().workerSeconds() > 0 ? kind.quota().periodSeconds() : Double.POSITIVE_INFINITY;
        for (int i = 0; i < kind.downstream().connections(); i++) {
            connections.add(0.0);
        }
    }

    /**
     * One slice more, without noise.
     *
     * @param requestsPerSecond that arrive, on average
     * @param into where what happened is added
     */
    public void advance(double requestsPerSecond, ServerWindowCounts into) {
        advance(requestsPerSecond, Noise.NONE, into);
    }

    /**
     * One slice more.
     *
     * @param requestsPerSecond that arrive, on average
     * @param into where what happened is added
     */
    public void advance(double requestsPerSecond, Noise suffered, ServerWindowCounts into) {
        noise = suffered;
        if (noise.stallSeconds() > 0) {
            pause(noise.stallSeconds());
            linkFree = Math.max(linkFree, now) + noise.stallSeconds();
        }
        double end = (slice + 1) * SLICE_SECONDS;
        double rate = kind.burstiness() > 0
                ? requestsPerSecond * chance.gammaAroundOne(kind.burstiness())
                : requestsPerSecond;
        arrivalInterval = 1 / rate;
        nextArrival = rate > 0 ? now + chance.exponential(arrivalInterval) : Double.POSITIVE_INFINITY;
        while (event(end)) {
            // Events happen one by one.
        }
        passTo(end);
        account.close(busyWorkerSeconds, into);
        busyWorkerSeconds = 0;
        slice++;
    }

    private boolean event(double end) {
        double done = workers.firstEnd();
        double retry = retries.firstTime();
        double givingUp = queue.firstPatientTime() + kind.queue().timeoutSeconds();
        double throttled = throttledAt();
        double next = Math.min(Math.min(Math.min(nextArrival, done), Math.min(retry, givingUp)),
                Math.min(Math.min(nextStall, nextBurst), Math.min(throttled, quotaPeriodEnd)));
        if (next >= end) {
            return false;
        }
        passTo(next);
        if (next == quotaPeriodEnd) {
            usedOfQuota = 0;
            quotaPeriodEnd += kind.quota().periodSeconds();
        } else if (next == throttled) {
            pause(quotaPeriodEnd - now);
            usedOfQuota = Double.NEGATIVE_INFINITY;
        } else if (next == nextBurst) {
            burstFactor = chance.between(kind.bursts().least(), kind.bursts().most());
            burstEnd = now + chance.between(kind.bursts().shortestSeconds(), kind.bursts().longestSeconds());
            nextBurst = kind.bursts().nextAfter(burstEnd, chance);
        } else if (next == done) {
            finish();
        } else if (next == givingUp) {
            giveUp();
        } else if (next == nextStall) {
            double length = chance.between(kind.stalls().shortestSeconds(), kind.stalls().longestSeconds());
            pause(length);
            nextStall = now + length + chance.exponential(kind.stalls().meanIntervalSeconds());
        } else if (next == retry) {
            int tried = retries.firstRetries();
            retries.removeFirst();
            arrive(tried);
        } else {
            nextArrival = now + chance.exponential(arrivalInterval);
            arrive(0);
        }
        return true;
    }

    private void passTo(double time) {
        busyWorkerSeconds += workers.busy() * (time - now);
        usedOfQuota += workers.busy() * (time - now);
        now = time;
    }

    /** Infinite without a quota, and while it stands still for it. */
    private double throttledAt() {
        if (kind.quota().workerSeconds() <= 0 || workers.busy() == 0 || Double.isInfinite(usedOfQuota)) {
            return Double.POSITIVE_INFINITY;
        }
        return now + Math.max(0, kind.quota().workerSeconds() - usedOfQuota) / workers.busy();
    }

    private void arrive(int retried) {
        requests++;
        if (requests >= nextCollection) {
            pause(chance.between(kind.collections().shortestSeconds(), kind.collections().longestSeconds()));
            nextCollection = requests + kind.collections().everyRequests() * chance.between(0.8, 1.2);
        }
        if (workers.anyIdle()) {
            account.arrived(now);
            serve(now, retried, false);
        } else if (queue.size() < kind.queue().capacity()) {
            account.arrived(now);
            queue.add(now, retried);
        } else {
            account.rejected();
        }
    }

    private void pause(double seconds) {
        pauseEnd = Math.max(pauseEnd, now) + seconds;
        workers.pause(seconds);
    }

    private void serve(double arrival, int retried, boolean abandoned) {
        int busy = workers.busy() + 1;
        double end = Math.max(now, pauseEnd) + serviceTime(busy);
        if (!connections.isEmpty()) {
            end = Math.max(end, connections.remove()) + chance.exponential(kind.downstream().meanSeconds());
            connections.add(end);
        }
        boolean gone = abandoned;
        if (!gone && kind.link().meanSeconds() == 0 && end - arrival > kind.queue().timeoutSeconds()) {
            // It is known already that its client will not wait for it.
            account.timedOut(arrival, arrival + kind.queue().timeoutSeconds());
            retry(arrival + kind.queue().timeoutSeconds(), retried);
            gone = true;
        }
        workers.begin(end, arrival, gone);
    }

    private double serviceTime(int busy) {
        double time = kind.service().draw(chance);
        if (now < burstEnd) {
            time *= burstFactor;
        }
        var contention = kind.contention();
        time *= 1 + contention.linear() * (busy - 1) + contention.quadratic() * busy * (busy - 1);
        if (kind.warmUp().excess() > 0) {
            time *= 1 + kind.warmUp().excess() * Math.exp(-now / kind.warmUp().decaySeconds());
        }
        return time * noise.slowdown() * (1 + kind.degradationPerSecond() * now);
    }

    private void giveUp() {
        int retried = queue.firstPatientRetries();
        account.timedOut(queue.firstPatientTime(), now);
        queue.abandonFirstPatient();
        retry(now, retried);
    }

    private void retry(double when, int retried) {
        if (retried < kind.queue().mostRetries() && chance.uniform() < kind.queue().retrying()) {
            retries.add(when, retried + 1);
        }
    }

    private void finish() {
        double arrival = workers.firstArrival();
        boolean gone = workers.firstAbandoned();
        workers.removeFirst();
        if (!gone) {
            answer(arrival);
        }
        if (!queue.isEmpty()) {
            double waiting = queue.firstTime();
            int retried = queue.firstRetries();
            boolean abandoned = queue.firstAbandoned();
            queue.removeFirst();
            serve(waiting, retried, abandoned);
        }
    }

    private void answer(double arrival) {
        double timeout = kind.queue().timeoutSeconds();
        if (kind.link().meanSeconds() > 0) {
            double sent = Math.max(now, linkFree)
                    + noise.slowdown() * chance.logNormal(kind.link().meanSeconds(), kind.link().sigma());
            if (sent - arrival <= timeout) {
                linkFree = sent;
                account.succeeded(arrival, Math.max(sent, noise.heldUntilSeconds()));
            } else {
                account.timedOut(arrival, Math.max(arrival + timeout, now));
                if (linkFree - now < 2 * timeout) {
                    linkFree = sent;
                }
            }
        } else if (now - arrival > timeout) {
            account.timedOut(arrival, now);
        } else {
            account.succeeded(arrival, Math.max(now, noise.heldUntilSeconds()));
        }
    }
}
