// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.benchmarks.collector.SteadyLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What RedLiner costs the users of a service that nobody tests. One Envoy has a listener whose configuration comes from the redirector,
 * and two with a configuration of their own, for the same instances. They take turns, in an order that goes round. The two
 * without RedLiner against each other show how far the machine alone moves such a ratio.
 */
@Command(name = "untested-service", mixinStandardHelpOptions = true, description = "p99 of a service without a run, with RedLiner in front against without.")
public final class UntestedServiceBench implements Callable<Integer> {

    private static final double MOST = 1.02;

    private static final double P99 = 99;

    private static final double MILLION = 1e6;

    private static final int INSTANCES = 4;

    private static final int WARM_UP_TURNS = 3;

    @Option(names = "--rate", description = "requests a second; default: ${DEFAULT-VALUE}")
    private double rate = 1_000;

    @Option(names = "--turn", description = "seconds; default: ${DEFAULT-VALUE}")
    private int seconds = 10;

    @Option(names = "--rounds", description = "of one turn for each listener; default: ${DEFAULT-VALUE}")
    private int rounds = 18;

    /** Measures, prints a table, and fails when the target is missed. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new UntestedServiceBench()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        try (var scene = new RealScene(INSTANCES); var load = new SteadyLoad(Duration.ZERO, scene.clock)) {
            var sides = List.of(new Side(scene.port), new Side(scene.plainPorts.getFirst()),
                    new Side(scene.plainPorts.getLast()));
            for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
                for (Side side : sides) {
                    load.run(side.port, rate, Duration.ofSeconds(seconds));
                }
            }
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < sides.size(); turn++) {
                    sides.get((round + turn) % sides.size()).take(load, rate, Duration.ofSeconds(seconds));
                }
            }
            return print(sides.getFirst(), sides.get(1), sides.getLast());
        }
    }

    private int print(Side redliner, Side plain, Side control) {
        System.out.printf(Locale.ROOT, "%.0f requests/s, %d turns of %d s of each%n", rate, rounds, seconds);
        System.out.printf(Locale.ROOT, "p50 with / without / without   %.3f / %.3f / %.3f ms%n", redliner.millis(50),
                plain.millis(50), control.millis(50));
        System.out.printf(Locale.ROOT, "p99 with / without / without   %.3f / %.3f / %.3f ms%n", redliner.millis(P99),
                plain.millis(P99), control.millis(P99));
        double ratio = median(redliner, plain);
        System.out.printf(Locale.ROOT, "with / without, p99: median of the pairs %.3f, all turns together %.3f%n",
                ratio,
                redliner.millis(P99) / plain.millis(P99));
        System.out.printf(Locale.ROOT, "without / without, p99: median of the pairs %.3f, all turns together %.3f%n",
                median(control, plain), control.millis(P99) / plain.millis(P99));
        System.out.printf(Locale.ROOT, "target: median of the pairs <= %.2f: %s%n", MOST,
                ratio <= MOST ? "reached" : "missed");
        return ratio <= MOST ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private double median(Side one, Side other) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ratios.add(one.p99s.get(round) / other.p99s.get(round));
        }
        Collections.sort(ratios);
        return (ratios.get((rounds - 1) / 2) + ratios.get(rounds / 2)) / 2;
    }

    /** One listener. */
    private static final class Side {

        private final int port;

        private final Histogram all = new Histogram(3);

        private final List<Double> p99s = new ArrayList<>();

        Side(int port) {
            this.port = port;
        }

        void take(SteadyLoad load, double rate, Duration turn) throws Exception {
            Histogram own = load.run(port, rate, turn);
            all.add(own);
            p99s.add((double) own.getValueAtPercentile(P99));
        }

        double millis(double percentile) {
            return all.getValueAtPercentile(percentile) / MILLION;
        }
    }
}
