// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

import io.redliner.benchmarks.lab.server.ServerKind.Collections;
import io.redliner.benchmarks.lab.server.ServerKind.Contention;
import io.redliner.benchmarks.lab.server.ServerKind.Downstream;
import io.redliner.benchmarks.lab.server.ServerKind.Queue;
import io.redliner.benchmarks.lab.server.ServerKind.Quota;
import io.redliner.benchmarks.lab.server.ServerKind.Service;
import io.redliner.benchmarks.lab.server.ServerKind.SlowBursts;
import io.redliner.benchmarks.lab.server.ServerKind.Stalls;
import io.redliner.benchmarks.lab.server.ServerKind.WarmUp;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Servers drawn at random, each the same whenever it is drawn. What is tuned is tuned on the first {@link #TUNING} of them, and
 * measured on the others.
 */
public final class ServerPopulation {

    /** Servers that constants may be fitted on; as many others are for measuring. */
    public static final int TUNING = 300;

    private static final int SAMPLES = 40_000;

    private static final double MIN_SERVICE = 0.000_5;

    private static final double MAX_SERVICE = 0.6;

    private static final double MIN_LIMIT = 0.002;

    private static final int MAX_WORKERS = 64;

    /** No multiple of a window: what waits is not always counted at the same moment of the period. */
    private static final double QUOTA_PERIOD = 0.097;

    private ServerPopulation() {}

    /** Servers that are drawn in one way. */
    public enum Group {
        /** All servers. */
        POPULATION("p", 0),
        /** Servers of thousands of requests/s whose late requests grow by more than 80 % when the load grows by 1 %. */
        STEEP("s", 10_000_000),
        /** Servers whose throughput falls by 2 to 20 % when all workers are busy. */
        RETROGRADE("r", 20_000_000);

        private static final double STEEP_RATE = 2_000;

        private static final double STEEP_ELASTICITY = 80;

        private static final double MIN_LOSS = 0.02;

        private static final double MAX_LOSS = 0.2;

        private final String prefix;

        private final long firstSeed;

        Group(String prefix, long firstSeed) {
            this.prefix = prefix;
            this.firstSeed = firstSeed;
        }

        /** Returns the name of one of the servers. */
        public String name(int index) {
            return String.format(Locale.ROOT, "%s%03d", prefix, index);
        }

        /**
         * Returns the group of a server with this name.
         *
         * @throws IllegalArgumentException when there is none
         */
        public static Group of(String name) {
            return Arrays.stream(values()).filter(group -> name.startsWith(group.prefix)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no server is named " + name));
        }

        /** Returns true when a server with this capacity, in requests/s, and this elasticity belongs to the group. */
        public boolean contains(double capacity, double elasticity) {
            return this != STEEP || (capacity >= STEEP_RATE && elasticity > STEEP_ELASTICITY);
        }

        /** Returns true when a drawn server may belong to the group. */
        private boolean mayContain(ServerKind kind) {
            double loss = 1 - throughput(kind, kind.workers()) / IntStream.rangeClosed(1, kind.workers())
                    .mapToDouble(busy -> throughput(kind, busy)).max().orElseThrow();
            return this != RETROGRADE || (loss >= MIN_LOSS && loss <= MAX_LOSS);
        }

        private static double throughput(ServerKind kind, int busy) {
            return busy / (1 + kind.contention().linear() * (busy - 1)
                    + kind.contention().quadratic() * busy * (busy - 1));
        }
    }

    /**
     * One of them.
     *
     * @param attempt 0, and 1 more each time that a server turned out to have no capacity
     */
    public static ServerKind draw(int index, int attempt) {
        return draw(Group.POPULATION, index, attempt).orElseThrow();
    }

    /**
     * Draws a server of a group; empty when this attempt gives none.
     *
     * @param attempt 0, and 1 more each time that a server did not belong to the group or turned out to have no capacity
     */
    public static Optional<ServerKind> draw(Group group, int index, int attempt) {
        var chance = new RandomVariates(group.firstSeed + 1_000L * index + attempt);
        double rate = logUniform(chance, group == Group.STEEP ? Group.STEEP_RATE : 20, 20_000);
        double most = Math.min(MAX_WORKERS, rate * MAX_SERVICE);
        int workers = (int) Math.max(1, Math.round(logUniform(chance, Math.min(most,
                Math.max(1, rate * MIN_SERVICE)), most)));
        var service = service(chance, workers / rate);
        double allowed = allowed(chance);
        double limit = Math.ceil(1_000 * Math.max(MIN_LIMIT,
                quantile(service, 1 - allowed) * logUniform(chance, 1.3, 5))) / 1_000;
        var kind = ServerKind.of(group.name(index), MIN_LIMIT, workers, service).with(queue(chance, limit, workers))
                .with(group == Group.RETROGRADE ? retrograde(chance, workers) : contention(chance, workers))
                .limited(limit, allowed);
        return Optional.of(disturbed(chance, behind(chance, kind, rate), rate)).filter(group::mayContain);
    }

    private static Service service(RandomVariates chance, double mean) {
        double law = chance.uniform();
        if (law < 0.2) {
            return Service.exponential(mean);
        }
        if (law < 0.65) {
            return Service.logNormal(mean, chance.between(0.3, 1.1));
        }
        if (law < 0.8) {
            return Service.logNormal(mean, chance.between(1.2, 1.6));
        }
        double part = chance.between(0.02, 0.15);
        double factor = chance.between(4, 12);
        return new Service(mean / (1 + part * (factor - 1)), 0.4, part, factor);
    }

    private static double allowed(RandomVariates chance) {
        double percentile = chance.uniform();
        return percentile < 0.15 ? 0.1 : percentile < 0.35 ? 0.05 : percentile < 0.85 ? 0.01 : 0.001;
    }

    private static double quantile(Service service, double part) {
        var chance = new RandomVariates(1);
        var times = new double[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            times[i] = service.draw(chance);
        }
        Arrays.sort(times);
        return times[(int) (part * SAMPLES)];
    }

    private static Queue queue(RandomVariates chance, double limit, int workers) {
        double timeout = inMillis(Math.max(2, 3 * limit));
        double sort = chance.uniform();
        if (sort < 0.3) {
            return new Queue((int) Math.max(2, Math.round(workers * chance.between(1, 6))), timeout, 0, 0);
        }
        return sort < 0.5
                ? new Queue(4_000, inMillis(limit * chance.between(1.5, 4)), chance.between(0.5, 0.95), 3)
                : new Queue(4_000, timeout, 0, 0);
    }

    private static double inMillis(double seconds) {
        return Math.ceil(1_000 * seconds) / 1_000;
    }

    private static Contention contention(RandomVariates chance, int workers) {
        double sort = chance.uniform();
        double linear = chance.between(0.1, 0.8);
        double quadratic = chance.between(0.5, 2);
        if (sort > 0.45 || workers == 1) {
            return Contention.NONE;
        }
        return new Contention(linear / (workers - 1), sort < 0.12 ? quadratic / workers / (workers - 1) : 0);
    }

    private static Contention retrograde(RandomVariates chance, int workers) {
        double linear = chance.between(0.1, 0.8);
        double quadratic = chance.between(1, 5);
        return workers == 1
                ? Contention.NONE
                : new Contention(linear / (workers - 1), quadratic / workers / (workers - 1));
    }

    private static ServerKind behind(RandomVariates chance, ServerKind kind, double rate) {
        boolean needed = chance.uniform() < 0.15;
        int connections = (int) Math.max(1, Math.round(kind.workers() * chance.between(0.2, 0.7)));
        double mean = connections / (rate * chance.between(0.6, 1.2));
        return needed ? kind.with(new Downstream(connections, mean)) : kind;
    }

    private static ServerKind disturbed(RandomVariates chance, ServerKind quiet, double rate) {
        var kind = quiet;
        if (chance.uniform() < 0.2) {
            kind = kind.with(new Collections((int) Math.max(10, rate * chance.between(2, 15)),
                    0.1 * kind.limitSeconds(), chance.between(0.3, 1.2) * kind.limitSeconds()));
        }
        if (chance.uniform() < 0.08) {
            kind = kind.with(new WarmUp(1, chance.between(5, 20)));
        }
        if (chance.uniform() < 0.08) {
            kind = kind.with(new Stalls(chance.between(60, 150), 0.2, 0.8));
        }
        if (chance.uniform() < 0.25) {
            kind = kind.bursty(chance.between(0.05, 0.35));
        }
        if (chance.uniform() < 0.12 && kind.service().overallMeanSeconds() < QUOTA_PERIOD / 2) {
            kind = kind.with(new Quota(chance.between(0.5, 0.9) * kind.workers() * QUOTA_PERIOD, QUOTA_PERIOD));
        }
        return chance.uniform() < 0.06 ? kind.with(new SlowBursts(0.3, 1.2, 1.8, 1, 5)) : kind;
    }

    private static double logUniform(RandomVariates chance, double low, double high) {
        return Math.exp(chance.between(Math.log(low), Math.log(high)));
    }
}
