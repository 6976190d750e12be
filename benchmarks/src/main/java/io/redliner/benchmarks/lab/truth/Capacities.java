// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerPopulation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the truth command found out, as recorded with this version. */
public final class Capacities {

    private static final String POPULATION = "population.csv";

    private static final String KINDS = "capacities.csv";

    private static final Map<String, Double> BY_KIND = Stream.of(KINDS, POPULATION)
            .flatMap(resource -> read(resource).stream())
            .collect(Collectors.toUnmodifiableMap(List::getFirst, row -> Double.parseDouble(row.get(1))));

    private static final Map<String, Limit> LIMITS = Stream
            .concat(read(KINDS).stream().map(row -> Map.entry(row.getFirst(), limit(row.get(2), row.get(3)))),
                    read(POPULATION).stream().map(row -> Map.entry(row.getFirst(), limit(row.get(5), row.get(3)))))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    /**
     * A point on the curve of a kind.
     *
     * @param load relative to the capacity
     * @param slow part of the requests
     * @param failed part of the requests
     */
    public record Point(String kind, double load, double slow, double failed) {}

    /**
     * What ends at the capacity.
     *
     * @param elasticity relative growth of the part of the users that are hurt, per relative growth of the load
     * @param byErrors whether errors limit it, and not latency
     */
    record Limit(double elasticity, boolean byErrors) {}

    private Capacities() {}

    /** The load that a server of this kind bears for good while it does not change, in requests/s. */
    public static double of(ServerKind kind) {
        Double capacity = BY_KIND.get(kind.name());
        if (capacity == null) {
            throw new IllegalArgumentException(
                    "the capacity of " + kind.name() + " was never found: run the truth command");
        }
        return capacity;
    }

    /** The same, of a server that has lived for a while. */
    public static double of(ServerKind kind, double seconds) {
        return of(kind) / (1 + kind.degradationPerSecond() * seconds);
    }

    static Limit limit(ServerKind kind) {
        return Objects.requireNonNull(LIMITS.get(kind.name()), kind.name());
    }

    /** What happens to the users around the capacities. */
    public static List<Point> curves() {
        return read("curves.csv").stream().map(row -> new Point(row.getFirst(), Double.parseDouble(row.get(1)),
                Double.parseDouble(row.get(2)), Double.parseDouble(row.get(3)))).toList();
    }

    /** Servers that were drawn at random and have a capacity, the tuning ones first. */
    public static List<ServerKind> population() {
        return read(POPULATION).stream()
                .map(row -> ServerPopulation.draw(Integer.parseInt(row.getFirst().substring(1)),
                        Integer.parseInt(row.get(4))))
                .toList();
    }

    private static Limit limit(String elasticity, String limitedBy) {
        return new Limit(Double.parseDouble(elasticity), limitedBy.equals("error"));
    }

    private static List<List<String>> read(String resource) {
        try (var stream = Objects.requireNonNull(Capacities.class.getResourceAsStream(resource), resource);
                var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            return lines.lines().skip(1).map(line -> List.of(line.split(",", -1))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " cannot be read", e);
        }
    }
}
