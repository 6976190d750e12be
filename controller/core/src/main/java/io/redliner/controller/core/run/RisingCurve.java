// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.LoadProfile.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A quantity that does not fall with the load, through the points of a profile. Adjacent points that violate this are pooled
 * (isotonic regression, Ayer et al. 1955), and lines connect the points.
 *
 * @param lnLoads rising; not empty
 * @param levels at these loads
 */
record RisingCurve(List<Double> lnLoads, List<Level> levels) {

    /** Neighbouring points that rose less than their noise. */
    private static final class Block {

        double weight;

        double sum;

        double dispersion;

        int points;

        double mean() {
            return sum / weight;
        }

        void add(Block other) {
            weight += other.weight;
            sum += other.sum;
            dispersion = Math.max(dispersion, other.dispersion);
            points += other.points;
        }
    }

    /** Returns the curve of a quantity; empty when it was never measured. */
    static Optional<RisingCurve> of(LoadProfile profile, LoadProfile.Signal signal) {
        List<LoadProfile.Point> points = profile.points().stream().filter(point -> point.level(signal).isPresent())
                .toList();
        List<Block> blocks = new ArrayList<>();
        for (LoadProfile.Point point : points) {
            Level level = point.level(signal).orElseThrow();
            pool(blocks, level.mean(), 1 / Math.max(1e-8, level.error() * level.error()), 1);
        }
        return of(points, blocks, block -> new Level(block.mean(), 1 / Math.sqrt(block.weight)));
    }

    /** Returns the curve of the logarithm of the part of the requests that exceeds the limit; empty without requests. */
    static Optional<RisingCurve> ofExceeding(LoadProfile profile) {
        List<LoadProfile.Point> points = profile.points().stream().filter(point -> point.requests() > 0).toList();
        List<Block> blocks = new ArrayList<>();
        for (LoadProfile.Point point : points) {
            pool(blocks, point.exceeding() / point.requests(), point.requests(), point.dispersion());
        }
        return of(points, blocks, block -> new Level(Math.log((block.sum + 0.5) / (block.weight + 1)),
                Math.sqrt(block.dispersion / (block.sum + 0.5))));
    }

    private static void pool(List<Block> blocks, double value, double weight, double dispersion) {
        Block block = new Block();
        block.weight = weight;
        block.sum = weight * value;
        block.dispersion = dispersion;
        block.points = 1;
        while (!blocks.isEmpty() && blocks.getLast().mean() >= block.mean()) {
            block.add(blocks.removeLast());
        }
        blocks.add(block);
    }

    private static Optional<RisingCurve> of(List<LoadProfile.Point> points, List<Block> blocks,
            java.util.function.Function<Block, Level> level) {
        List<Level> levels = new ArrayList<>();
        for (Block block : blocks) {
            for (int point = 0; point < block.points; point++) {
                levels.add(level.apply(block));
            }
        }
        return points.isEmpty()
                ? Optional.empty()
                : Optional.of(new RisingCurve(points.stream().map(LoadProfile.Point::lnLoad).toList(), levels));
    }

    /** Returns the level at a load; outside of the points that of the nearest one. */
    Level at(double lnLoad) {
        if (lnLoad <= lnLoads.getFirst()) {
            return levels.getFirst();
        }
        for (int next = 1; next < lnLoads.size(); next++) {
            if (lnLoad <= lnLoads.get(next)) {
                double part = (lnLoad - lnLoads.get(next - 1)) / (lnLoads.get(next) - lnLoads.get(next - 1));
                Level before = levels.get(next - 1);
                Level after = levels.get(next);
                return new Level(before.mean() + part * (after.mean() - before.mean()),
                        before.error() + part * (after.error() - before.error()));
            }
        }
        return levels.getLast();
    }

    /** Returns true when the load is above all points, so that the level there is at least that of the highest one. */
    boolean isBelow(double lnLoad) {
        return lnLoad > lnLoads.getLast();
    }
}
