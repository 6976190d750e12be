// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.contract.v1.Attribute;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.Redirect;
import io.redliner.contract.v1.RedirectMode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Which fraction of the requests the instance under test answers, in each redirect mode, in a real proxy with four
 * instances; compared with where a fraction of independent draws lies in 999 of 1000 cases. Each request comes from a
 * user drawn anew, so that this is the right comparison for the modes in which users stay on a side, too; endpoint
 * weights are dealt out in turn, and so come nearer than chance.
 */
@Command(name = "split-accuracy", mixinStandardHelpOptions = true, description = "Share asked for and share measured.")
public final class SplitAccuracyBench implements Callable<Integer> {

    private static final double CONFIDENCE = 0.999;

    private static final double WHOLE_PPM = 1_000_000;

    private static final int MODULUS = 10_000;

    /** A multiple of the modulus, so that remainders are evenly drawn. */
    private static final int USERS = 1_000_000_000;

    private static final String USER = "x-user-id";

    private static final int INSTANCES = 4;

    @Option(names = "--requests", description = "for each row; default: ${DEFAULT-VALUE}")
    private int requests = 100_000;

    @Option(names = "--connections", description = "that ask at once; default: ${DEFAULT-VALUE}")
    private int connections = 8;

    @Option(names = "--modes", split = ",", description = "of split, endpoint-weight, modulo, hash")
    private List<String> modes = List.of("split", "endpoint-weight", "modulo", "hash");

    @Option(names = "--shares", split = ",", description = "in ppm; default: ${DEFAULT-VALUE}")
    private List<Integer> shares = List.of(300_000);

    @Option(names = "--split-shares", split = ",", description = "for mode split in addition, in ppm")
    private List<Integer> splitShares = List.of(100, 50_000);

    @Option(names = "--seed", description = "of the users; default: ${DEFAULT-VALUE}")
    private long seed = 1;

    private boolean reached = true;

    /** Measures, prints a table, and fails when a measured share is outside its interval. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SplitAccuracyBench()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        try (var scene = new RealScene(INSTANCES)) {
            System.out.println("mode             asked %  measured %  99.9 % interval       within  requests/s");
            for (var mode : modes) {
                var asked = new ArrayList<>(shares);
                if (mode.equals("split")) {
                    asked.addAll(splitShares);
                }
                measure(scene, mode, asked);
            }
        }
        System.out.println("target: all within: " + (reached ? "reached" : "missed"));
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void measure(RealScene scene, String mode, List<Integer> asked) throws Exception {
        var sent = scene.leases.begin(RealScene.SERVICE, scene.sut(), redirect(mode), asked.getFirst());
        for (int ppm : asked) {
            if (ppm != sent.lease().getSharePpm()) {
                sent = scene.leases.change(RealScene.SERVICE, ppm);
            }
            scene.statuses.awaitApplied(sent, RealScene.PATIENCE);
            var begin = scene.clock.instant();
            long hits = hits(scene, !mode.equals("split") && !mode.equals("endpoint-weight"));
            double seconds = Duration.between(begin, scene.clock.instant()).toMillis() / 1e3;
            // Was it in force to the end?
            scene.statuses.awaitApplied(scene.leases.change(RealScene.SERVICE, ppm), RealScene.PATIENCE);
            double share = ppm / WHOLE_PPM;
            double measured = (double) hits / requests;
            var interval = BinomialInterval.of(share, requests, CONFIDENCE);
            reached &= interval.contains(measured);
            System.out.printf(Locale.ROOT, "%-15s  %7.3f  %10.3f  %8.3f .. %8.3f  %6s  %10.0f%n", mode, share * 100,
                    measured * 100, interval.from() * 100, interval.to() * 100,
                    interval.contains(measured) ? "yes" : "NO", requests / seconds);
        }
        var released = scene.leases.release(RealScene.SERVICE);
        scene.statuses.awaitNatural(RealScene.SERVICE, released.at(), RealScene.PATIENCE);
    }

    private static Redirect redirect(String mode) {
        var user = Attribute.newBuilder().setSource(AttributeSource.ATTRIBUTE_SOURCE_HEADER).setName(USER);
        return switch (mode) {
            case "split" -> Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_SPLIT).build();
            case "endpoint-weight" ->
                Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_ENDPOINT_WEIGHT).build();
            case "modulo" -> Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_MODULO).setModulus(MODULUS)
                    .setAttribute(user).build();
            case "hash" -> Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_HASH).setAttribute(user).build();
            default -> throw new IllegalArgumentException("there is no mode " + mode);
        };
    }

    /** How many requests the instance under test answers. */
    private long hits(RealScene scene, boolean users) throws Exception {
        var random = new SplittableRandom(seed);
        try (var threads = Executors.newFixedThreadPool(connections)) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                int own = requests / connections + (i < requests % connections ? 1 : 0);
                var draws = random.split();
                counts.add(threads.submit(() -> asked(scene.port, own, users, draws)));
            }
            long hits = 0;
            for (var count : counts) {
                hits += count.get();
            }
            return hits;
        }
    }

    private static long asked(int port, int number, boolean users, SplittableRandom random) throws IOException {
        byte[] anonymous = KeptAlive.request("");
        long hits = 0;
        try (var connection = new KeptAlive(port)) {
            for (int i = 0; i < number; i++) {
                byte[] request = users
                        ? KeptAlive.request(USER + ": " + random.nextInt(USERS) + "\r\n")
                        : anonymous;
                hits += connection.ask(request) == INSTANCES - 1 ? 1 : 0;
            }
        }
        return hits;
    }
}
