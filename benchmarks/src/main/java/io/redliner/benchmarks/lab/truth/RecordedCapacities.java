// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerPopulation.Group;
import io.redliner.benchmarks.lab.server.ServerPopulation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the truth command found out, as recorded with this version. */
public final class RecordedCapacities {

    private static final String POPULATION = "population.csv";

    private static final String KINDS = "capacities.csv";

    private static final String GROUPS = "groups.csv";

    private static final Map<String, Limit> LIMITS = Stream
            .concat(read(KINDS).stream().map(row -> Map.entry(row.getFirst(), limit(row, 2))),
                    Stream.of(POPULATION, GROUPS).flatMap(file -> read(file).stream())
                            .map(row -> Map.entry(row.getFirst(), limit(row, 5))))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private static final Map<String, Double> BESIDE = read("beside.csv").stream().collect(Collectors
            .toUnmodifiableMap(row -> row.getFirst() + ' ' + row.get(1), row -> Double.parseDouble(row.get(2))));

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
     * @param requestsPerSecond the capacity
     * @param elasticity relative growth of the part of the users that are hurt, per relative growth of the load
     * @param byErrors whether errors limit it, and not latency
     */
    record Limit(double requestsPerSecond, double elasticity, boolean byErrors) {}

    private RecordedCapacities() {}

    /** The load that a server of this kind bears for good while it does not change, in requests/s. */
    public static double of(ServerKind kind) {
        return limit(kind).requestsPerSecond();
    }

    /** The same, of a server that has lived for a while. */
    public static double of(ServerKind kind, double seconds) {
        return of(kind) / (1 + kind.degradationPerSecond() * seconds);
    }

    /** The load that a server of this kind bears beside a noise, in requests/s; empty when none was found. */
    public static OptionalDouble beside(ServerKind kind, String noise) {
        Double found = BESIDE.get(kind.name() + ' ' + noise);
        return found == null || !(found > 0) ? OptionalDouble.empty() : OptionalDouble.of(found);
    }

    static Limit limit(ServerKind kind) {
        Limit limit = LIMITS.get(kind.name());
        if (limit == null) {
            throw new IllegalArgumentException(
                    "the capacity of " + kind.name() + " was never found: run the truth command");
        }
        return limit;
    }

    /** What happens to the users around the capacities. */
    public static List<Point> curves() {
        return read("curves.csv").stream().map(row -> new Point(row.getFirst(), Double.parseDouble(row.get(1)),
                Double.parseDouble(row.get(2)), Double.parseDouble(row.get(3)))).toList();
    }

    /** Servers that were drawn at random and have a capacity, the tuning ones first. */
    public static List<ServerKind> population() {
        return drawn(POPULATION, Group.POPULATION);
    }

    /** Returns the servers of a group that was drawn beside the population. */
    public static List<ServerKind> group(Group group) {
        return drawn(GROUPS, group);
    }

    private static List<ServerKind> drawn(String file, Group group) {
        return read(file).stream().filter(row -> Group.of(row.getFirst()) == group)
                .map(row -> ServerPopulation
                        .draw(group, Integer.parseInt(row.getFirst().substring(1)), Integer.parseInt(row.get(4)))
                        .orElseThrow())
                .toList();
    }

    private static Limit limit(List<String> row, int elasticity) {
        return new Limit(Double.parseDouble(row.get(1)), Double.parseDouble(row.get(elasticity)),
                row.get(3).equals("error"));
    }

    private static List<List<String>> read(String resource) {
        try (var stream = Objects.requireNonNull(RecordedCapacities.class.getResourceAsStream(resource), resource);
                var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            return lines.lines().skip(1).map(line -> List.of(line.split(",", -1))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " cannot be read", e);
        }
    }
}
