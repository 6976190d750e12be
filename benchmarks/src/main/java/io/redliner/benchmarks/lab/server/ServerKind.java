// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

/**
 * A kind of simulated server: first come, first served by some workers. All times in seconds.
 *
 * @param name short
 * @param limitSeconds what a percentile must not pass
 * @param workers serving one request each, at most 64
 * @param service time of one request
 * @param queue what waits, and for how long its clients do
 * @param collections pauses of everything after a number of requests
 * @param link that answers pass one after the other when they are done
 * @param contention slows requests down that are served at the same time
 * @param warmUp after the start
 * @param degradationPerSecond relative growth of service times per second
 * @param stalls pauses of everything at random times
 * @param burstiness coefficient of variation of the arrival rate from one slice to the next
 * @param slowAllowed part of the requests that may be slower than the limit: 0.01 when the limit is on the 99th percentile
 * @param bursts of slowness of its own
 * @param quota of processor time
 * @param downstream what every request needs beside a worker
 */
public record ServerKind(String name, double limitSeconds, int workers, Service service, Queue queue,
        Collections collections, Link link, Contention contention, WarmUp warmUp, double degradationPerSecond,
        Stalls stalls, double burstiness, double slowAllowed, SlowBursts bursts, Quota quota,
        Downstream downstream) {

    /** Of the 14 kinds that a search is tuned on: their limit is on the 99th percentile. */
    private static final double SLOW_ALLOWED = 0.01;

    /** Part of the requests that may fail. */
    public static final double FAILED_ALLOWED = 0.001;

    /**
     * Time of one request.
     *
     * @param meanSeconds of the distribution of ordinary requests
     * @param sigma of the logarithm; negative for an exponential distribution
     * @param longPart part of the requests that take longer by a factor
     * @param longFactor that factor
     */
    public record Service(double meanSeconds, double sigma, double longPart, double longFactor) {

        Service(double meanSeconds, double sigma) {
            this(meanSeconds, sigma, 0, 1);
        }

        /** The time of one request, in seconds. */
        double draw(RandomVariates chance) {
            double time = sigma < 0 ? chance.exponential(meanSeconds) : chance.logNormal(meanSeconds, sigma);
            return longPart > 0 && chance.uniform() < longPart ? time * longFactor : time;
        }

        /** Mean of all requests, in seconds. */
        public double overallMeanSeconds() {
            return meanSeconds * (1 + longPart * (longFactor - 1));
        }

        static Service exponential(double meanSeconds) {
            return new Service(meanSeconds, -1);
        }

        static Service logNormal(double meanSeconds, double sigma) {
            return new Service(meanSeconds, sigma);
        }
    }

    /**
     * What waits.
     *
     * @param capacity requests; more are rejected
     * @param timeoutSeconds after which clients give up; the server does not notice
     * @param retrying part of the clients that try again when they gave up
     * @param mostRetries of one client
     */
    public record Queue(int capacity, double timeoutSeconds, double retrying, int mostRetries) {
        static final Queue LONG = new Queue(4_000, 2, 0, 0);
    }

    /**
     * Stop-the-world collections.
     *
     * @param everyRequests on average; 0 for never
     */
    public record Collections(int everyRequests, double shortestSeconds, double longestSeconds) {
        static final Collections NEVER = new Collections(0, 0, 0);
    }

    /**
     * The network link.
     *
     * @param meanSeconds that an answer occupies it; 0 for an infinitely fast one
     * @param sigma of the logarithm
     */
    public record Link(double meanSeconds, double sigma) {
        static final Link FAST = new Link(0, 0);
    }

    /** Service times grow by {@code linear (n - 1) + quadratic n (n - 1)} while n requests are served (USL). */
    public record Contention(double linear, double quadratic) {
        static final Contention NONE = new Contention(0, 0);
    }

    /** Service times are longer by {@code excess exp(-t / decaySeconds)}. */
    public record WarmUp(double excess, double decaySeconds) {
        static final WarmUp NONE = new WarmUp(0, 1);
    }

    /**
     * Pauses at random times.
     *
     * @param meanIntervalSeconds between two; 0 for never
     */
    public record Stalls(double meanIntervalSeconds, double shortestSeconds, double longestSeconds) {
        static final Stalls NEVER = new Stalls(0, 0, 0);
    }

    /**
     * Times in which everything takes longer. Those of a server's own belong to its capacity.
     *
     * @param part of the time, 0 to 1; 0 for never
     * @param least factor of service times in a burst
     * @param most factor of service times in a burst
     */
    public record SlowBursts(double part, double least, double most, double shortestSeconds, double longestSeconds) {

        /** None. */
        public static final SlowBursts NEVER = new SlowBursts(0, 1, 1, 0, 0);

        /** When the next one begins after the end of one, in seconds; infinite for never. */
        public double nextAfter(double end, RandomVariates chance) {
            return part > 0
                    ? end + chance.exponential((shortestSeconds + longestSeconds) / 2 * (1 - part) / part)
                    : Double.POSITIVE_INFINITY;
        }
    }

    /**
     * Processor time that it may use, as a control group has it: when it is used up, everything stands still until the next period.
     *
     * @param workerSeconds in a period; 0 for no quota
     */
    public record Quota(double workerSeconds, double periodSeconds) {
        static final Quota NONE = new Quota(0, 0);
    }

    /**
     * A pool of connections to what is behind it, in the order in which requests got their workers. A request keeps its worker while it
     * waits for one.
     *
     * @param connections 0 for none needed
     * @param meanSeconds that a request keeps one, exponential
     */
    public record Downstream(int connections, double meanSeconds) {
        static final Downstream NONE = new Downstream(0, 0);
    }

    public ServerKind {
        if (workers < 1 || workers > 64 || limitSeconds <= 0 || limitSeconds > queue.timeoutSeconds()) {
            throw new IllegalArgumentException(name + ": 1 to 64 workers, and a limit that clients wait for");
        }
    }

    static ServerKind of(String name, double limitSeconds, int workers, Service service) {
        return new ServerKind(name, limitSeconds, workers, service, Queue.LONG, Collections.NEVER, Link.FAST,
                Contention.NONE, WarmUp.NONE, 0, Stalls.NEVER, 0, SLOW_ALLOWED,
                SlowBursts.NEVER, Quota.NONE, Downstream.NONE);
    }

    ServerKind with(Queue newQueue) {
        return new ServerKind(name, limitSeconds, workers, service, newQueue, collections, link, contention, warmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, bursts, quota, downstream);
    }

    ServerKind with(Collections newCollections) {
        return new ServerKind(name, limitSeconds, workers, service, queue, newCollections, link, contention, warmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, bursts, quota, downstream);
    }

    ServerKind with(Link newLink) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, newLink, contention, warmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, bursts, quota, downstream);
    }

    ServerKind with(Contention newContention) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, newContention, warmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, bursts, quota, downstream);
    }

    ServerKind with(WarmUp newWarmUp) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, contention, newWarmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, bursts, quota, downstream);
    }

    ServerKind with(Stalls newStalls) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, contention, warmUp,
                degradationPerSecond, newStalls, burstiness, slowAllowed, bursts, quota, downstream);
    }

    ServerKind with(SlowBursts newSlowBursts) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, contention, warmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, newSlowBursts, quota, downstream);
    }

    ServerKind with(Quota newQuota) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, contention, warmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, bursts, newQuota, downstream);
    }

    ServerKind with(Downstream newDownstream) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, contention, warmUp,
                degradationPerSecond, stalls, burstiness, slowAllowed, bursts, quota, newDownstream);
    }

    ServerKind degrading(double perSecond) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, contention, warmUp,
                perSecond, stalls, burstiness, slowAllowed, bursts, quota, downstream);
    }

    ServerKind bursty(double variation) {
        return new ServerKind(name, limitSeconds, workers, service, queue, collections, link, contention, warmUp,
                degradationPerSecond, stalls, variation, slowAllowed, bursts, quota, downstream);
    }

    ServerKind limited(double seconds, double allowed) {
        return new ServerKind(name, seconds, workers, service, queue, collections, link, contention, warmUp,
                degradationPerSecond, stalls, burstiness, allowed, bursts, quota, downstream);
    }

    /** Returns a server on which every request takes less of everything by a factor. */
    public ServerKind faster(double factor) {
        return new ServerKind(name, limitSeconds, workers,
                new Service(service.meanSeconds / factor, service.sigma, service.longPart, service.longFactor), queue,
                collections, new Link(link.meanSeconds / factor, link.sigma), contention, warmUp, degradationPerSecond,
                stalls, burstiness, slowAllowed, bursts, quota,
                new Downstream(downstream.connections, downstream.meanSeconds / factor));
    }

    /** As it is when it is warm, and not degraded. */
    public ServerKind warm() {
        return with(WarmUp.NONE).degrading(0);
    }

    /** Never slow in bursts of its own. */
    public ServerKind even() {
        return with(SlowBursts.NEVER);
    }

    /** As it is when it is warm, not degraded, and nothing out of its own doing stops it: this has a capacity. */
    public ServerKind steady() {
        return warm().with(Stalls.NEVER);
    }

    /** Whether it differs in nothing but its name. */
    public boolean sameAs(ServerKind other) {
        return equals(new ServerKind(name, other.limitSeconds, other.workers, other.service, other.queue,
                other.collections, other.link, other.contention, other.warmUp, other.degradationPerSecond, other.stalls,
                other.burstiness, other.slowAllowed, other.bursts, other.quota, other.downstream));
    }
}
