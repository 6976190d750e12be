// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.simulation.Misfortune.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What one seed is about.
 *
 * @param rate of the service, requests/s
 * @param peerWeight of each of the two peers; the SUT weighs {@link #SUT_WEIGHT}
 * @param capacity of the SUT, as its natural load times this
 * @param maxShare ppm
 * @param maxDuration ms
 * @param harmBudget ratio
 * @param redirectors 1 or 2
 * @param proxies 1 to 3, spread over the redirectors
 */
record Scenario(long seed, double rate, int peerWeight, double capacity, int maxShare, double maxRaise,
        long maxDuration, double harmBudget, int redirectors, int proxies, Network.Quality quality,
        List<Misfortune> misfortunes) {

    static final int SUT_WEIGHT = 10;

    /** From here on everybody dies late enough, or not at all. */
    private static final long LATEST = 70_000;

    static Scenario of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int peerWeight = 15 + random.nextInt(30);
        double natural = (double) SUT_WEIGHT / (SUT_WEIGHT + 2 * peerWeight);
        double rate = (120 + random.nextInt(80)) / natural;
        double capacity = random.nextInt(60) == 0 ? 0.7 : 1.25 + 1.2 * random.nextDouble();
        boolean quiet = random.nextInt(4) == 0;
        int count = quiet ? 0 : 1 + random.nextInt(random.nextInt(3) == 0 ? 3 : 1);
        List<Misfortune> misfortunes = new ArrayList<>();
        Kind[] kinds = Kind.values();
        for (int i = 0; i < count; i++) {
            misfortunes.add(new Misfortune(kinds[random.nextInt(kinds.length)],
                    Math.max(0, random.nextLong(LATEST) - 4000), 200 + random.nextLong(12_000)));
        }
        double most = random.nextInt(8) == 0 ? 0.75 + 0.2 * random.nextDouble() : 1.3 + random.nextDouble();
        double maxShare = Math.min(0.8, natural * Math.max(1.01, capacity * most));
        long maxDuration = (random.nextInt(8) == 0 ? 30 : 100) * 1000L + random.nextLong(70_000);
        double harmBudget = random.nextInt(10) == 0
                ? 0.002 + 0.02 * random.nextDouble()
                : 0.05 + 0.1 * random.nextDouble();
        return new Scenario(seed, rate, peerWeight, capacity, (int) (1_000_000 * maxShare),
                1.2 + 1.3 * random.nextDouble(), maxDuration, harmBudget, 1 + random.nextInt(2),
                1 + random.nextInt(3), quiet ? Network.Quality.GOOD : Network.Quality.of(random), misfortunes);
    }

    /** Whether nothing goes wrong. */
    boolean quiet() {
        return misfortunes.isEmpty() && quality.equals(Network.Quality.GOOD);
    }

    /** The first one of a kind. */
    Optional<Misfortune> first(Kind kind) {
        return misfortunes.stream().filter(misfortune -> misfortune.kind() == kind).findFirst();
    }

    boolean has(Kind... kinds) {
        return List.of(kinds).stream().anyMatch(kind -> first(kind).isPresent());
    }

    int totalWeight() {
        return SUT_WEIGHT + 2 * peerWeight;
    }

    /** Of the SUT. */
    int naturalPpm() {
        return (int) Math.round(1e6 * SUT_WEIGHT / totalWeight());
    }

    double naturalLoad() {
        return rate * SUT_WEIGHT / totalWeight();
    }

    /** Requests/s that the SUT gets at most. */
    double mostLoad() {
        return rate * maxShare / 1e6;
    }

    /** Whether nothing goes wrong, and traffic, time and budget suffice. */
    boolean easy() {
        return quiet() && capacity > 1 && mostLoad() > 1.2 * constructedCapacity() && maxDuration >= 100_000
                && harmBudget >= 0.05;
    }

    /** Requests/s of the SUT at which one in a hundred is late. */
    double constructedCapacity() {
        return naturalLoad() * capacity;
    }
}
