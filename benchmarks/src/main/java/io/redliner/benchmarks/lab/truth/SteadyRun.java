// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.Noise;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.server.SimulatedServer;
import java.util.function.Supplier;

/** What happened to the users of a server at a steady load. */
record SteadyRun(long served, long slow, long completed, long errors) {

    static final SteadyRun NONE = new SteadyRun(0, 0, 0, 0);

    /**
     * One run.
     *
     * @param load requests/s
     * @param skippedSeconds before anything counts
     * @param seconds that count
     */
    static SteadyRun of(ServerKind kind, double load, long seed, double skippedSeconds, double seconds) {
        return of(kind, load, seed, skippedSeconds, seconds, () -> Noise.NONE);
    }

    /** @param noise of each slice of the server's time */
    static SteadyRun of(ServerKind kind, double load, long seed, double skippedSeconds, double seconds,
            Supplier<Noise> noise) {
        var server = new SimulatedServer(kind, seed);
        for (int i = 0; i < skippedSeconds / SimulatedServer.SLICE_SECONDS; i++) {
            server.advance(load, noise.get(), new ServerWindowCounts());
        }
        var run = NONE;
        for (int i = 0; i < seconds / SimulatedServer.SLICE_SECONDS; i++) {
            var counts = new ServerWindowCounts();
            server.advance(load, noise.get(), counts);
            run = run.plus(new SteadyRun(counts.served(), counts.slow(), counts.completed(), counts.errors()));
        }
        return run;
    }

    SteadyRun plus(SteadyRun other) {
        return new SteadyRun(served + other.served, slow + other.slow, completed + other.completed,
                errors + other.errors);
    }

    double slowRatio() {
        return (double) slow / Math.max(1, served);
    }

    double errorRatio() {
        return (double) errors / Math.max(1, completed);
    }

    /** Whether the limits of the kind are kept. */
    boolean holds(ServerKind kind) {
        return slowRatio() <= kind.slowAllowed() && errorRatio() <= ServerKind.FAILED_ALLOWED;
    }
}
