// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.AccuracyStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The figures that the slice had when they were recorded.
 *
 * @param figures every one
 */
record SliceReference(Map<SliceStatistic, Double> figures) {

    private static final String HEADER = "figure,recorded,worst allowed";

    SliceReference {
        if (figures.size() != SliceStatistic.values().length) {
            throw new IllegalArgumentException("figures are missing, only these are there: " + figures.keySet());
        }
        figures = Map.copyOf(figures);
    }

    static SliceReference of(AccuracyStatistics measured) {
        var figures = new EnumMap<SliceStatistic, Double>(SliceStatistic.class);
        Arrays.stream(SliceStatistic.values()).forEach(figure -> figures.put(figure, figure.of(measured)));
        return new SliceReference(figures);
    }

    static SliceReference read(Path file) throws IOException {
        var lines = Files.readAllLines(file);
        var figures = new EnumMap<SliceStatistic, Double>(SliceStatistic.class);
        for (var line : lines.subList(1, lines.size())) {
            var cells = line.split(",", -1);
            figures.put(SliceStatistic.valueOf(cells[0]), Double.parseDouble(cells[1]));
        }
        return new SliceReference(figures);
    }

    /** The bounds in the file are for readers only; the tolerances are in {@link SliceStatistic}. */
    void write(Path file) throws IOException {
        var lines = new ArrayList<String>(List.of(HEADER));
        for (var figure : SliceStatistic.values()) {
            double recorded = figures.getOrDefault(figure, Double.NaN);
            lines.add(String.format(Locale.ROOT, "%s,%.5f,%.5f", figure, recorded, figure.worst(recorded)));
        }
        Files.write(file, lines);
    }

    /** What got worse, in words; empty when nothing did. */
    List<String> worseIn(AccuracyStatistics measured) {
        return Arrays.stream(SliceStatistic.values())
                .filter(figure -> !(figure.of(measured) <= figure.worst(figures.getOrDefault(figure, Double.NaN))))
                .map(figure -> String.format(Locale.ROOT, "%s: %.4f, recorded %.4f, allowed %.4f", figure.title(),
                        figure.of(measured), figures.get(figure),
                        figure.worst(figures.getOrDefault(figure, Double.NaN))))
                .toList();
    }
}
