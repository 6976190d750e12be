// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.benchmarks.process.ProcessUsage.Memory;
import io.redliner.benchmarks.redirector.AdsStream.Xds;
import io.redliner.benchmarks.stats.LatencySamples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Many proxies on one redirector: the memory that each takes, how soon all of them have a new share, and what a change
 * costs. The proxies are simulated, in this process; broker and redirector are processes of their own.
 */
@Command(name = "fan-out", mixinStandardHelpOptions = true, description = "Many proxies on one redirector.")
public final class FanOutBench implements Callable<Integer> {

    private static final double MAX_APPLIED_MILLIS = 1_000;

    private static final double MAX_KIB = 64;

    private static final int FIRST_PPM = 100_000;

    private static final int STEP_PPM = 1_000;

    /** So that what is loaded and made once is there before the first look. */
    private static final int WARM_UP_CLIENTS = 50;

    private static final Duration SETTLING = Duration.ofSeconds(3);

    /** Longer than the redirector keeps the clusters of a lease that has ended. */
    private static final Duration LINGER = Duration.ofSeconds(12);

    private static final int MAX_ATTEMPTS = 3;

    private static final Duration WINDOW = Duration.ofSeconds(5);

    @Option(names = "--clients", split = ",", description = "numbers of proxies, growing; default: ${DEFAULT-VALUE}")
    private List<Integer> clients = List.of(250, 500, 1_000);

    @Option(names = "--concerned", split = ",", description = "of the most proxies, those of the service that changes; default: ${DEFAULT-VALUE}")
    private List<Integer> concerned = List.of(10, 100, 500, 1_000);

    @Option(names = "--changes", description = "default: ${DEFAULT-VALUE}")
    private int changes = 20;

    @Option(names = "--xds", description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}")
    private Xds xds = Xds.WHOLE_STATE;

    @Option(names = "--streams-per-connection", description = "proxies have one; default: ${DEFAULT-VALUE}")
    private int perConnection = 1;

    @Option(names = "--one-group", description = "both services share their proxies: for redirectors whose services file does not know groups; only the row with all proxies is measured then")
    private boolean oneGroup;

    private int ppm = FIRST_PPM;

    private boolean reached = true;

    /** Measures, prints tables, and fails when a target is missed. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FanOutBench()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        System.out.printf(Locale.ROOT, "%s, %d stream(s) per connection%n", xds, perConnection);
        try (var scene = new FanOutSetup(xds, !oneGroup, perConnection)) {
            try (var fleet = scene.fleet()) {
                fleet.add(WARM_UP_CLIENTS, scene.group(FanOutSetup.TESTED), FanOutSetup.TIMEOUT);
            }
            scene.goOn(SETTLING);
            try (var fleet = scene.fleet()) {
                latency(scene, fleet, memory(scene, fleet));
            }
            System.out.println("clients of the service  CPU ms per change  CPU ms/s without  messages per change  "
                    + "messages to others");
            for (int own : concerned) {
                if (!oneGroup || own == clients.getLast()) {
                    cost(scene, own);
                }
            }
        }
        System.out.println("targets: all applied <= 1 s, <= 64 KiB of heap and direct memory per idle client, nothing "
                + "to others: " + (reached ? "reached" : "missed"));
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private List<SimulatedProxy> memory(FanOutSetup scene, SimulatedProxyFleet fleet)
            throws IOException, InterruptedException {
        System.out.println("clients  heap KiB  direct KiB  both KiB  RSS KiB  threads");
        var counts = new ArrayList<Integer>(List.of(0));
        counts.addAll(clients);
        var looks = new ArrayList<Memory>();
        var proxies = new ArrayList<SimulatedProxy>();
        for (int count : counts) {
            proxies.addAll(fleet.add(count - proxies.size(), scene.group(FanOutSetup.TESTED), FanOutSetup.TIMEOUT));
            scene.goOn(SETTLING);
            var look = scene.redirector.memory();
            looks.add(look);
            System.out.printf(Locale.ROOT, "%7d  %8d  %10d  %8d  %7d  %7d%n", count, look.heapKib(), look.directKib(),
                    look.heapAndDirectKib(), look.residentKib(), look.threads());
        }
        double both = slope(counts, looks, Memory::heapAndDirectKib);
        System.out.printf(Locale.ROOT, "per client, KiB: heap %.1f, direct %.1f, both %.1f, RSS %.1f%n",
                slope(counts, looks, Memory::heapKib), slope(counts, looks, Memory::directKib), both,
                slope(counts, looks, Memory::residentKib));
        reached &= both <= MAX_KIB;
        return proxies;
    }

    /** Of the line through them with the least squares. */
    private static double slope(List<Integer> counts, List<Memory> looks, ToLongFunction<Memory> kib) {
        double meanX = counts.stream().mapToInt(Integer::intValue).average().orElse(0);
        double meanY = looks.stream().mapToLong(kib).average().orElse(0);
        double xy = 0;
        double xx = 0;
        for (int i = 0; i < counts.size(); i++) {
            xy += (counts.get(i) - meanX) * (kib.applyAsLong(looks.get(i)) - meanY);
            xx += (counts.get(i) - meanX) * (counts.get(i) - meanX);
        }
        return xy / xx;
    }

    /** A lease, in force; when the first one fails, which misses the target, a later one may find things warmer. */
    private void begin(FanOutSetup scene, SimulatedProxyFleet fleet) throws InterruptedException {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            try {
                System.out.printf(Locale.ROOT, "lease with layout: APPLIED after %d ms%n", scene.lease(ppm).toMillis());
                scene.goOn(SETTLING);
                return;
            } catch (LeaseEndedException failed) {
                reached = false;
                System.out.println("lease with layout: " + failed.getMessage());
                fleet.describe();
                // What is late comes now, what is lost does not; and the failed layout goes.
                scene.goOn(LINGER);
                fleet.describe();
            }
        }
        throw new IllegalStateException("No lease of " + MAX_ATTEMPTS + " came in force");
    }

    private void latency(FanOutSetup scene, SimulatedProxyFleet fleet, List<SimulatedProxy> proxies)
            throws InterruptedException {
        var applied = new LatencySamples();
        var each = new LatencySamples();
        var last = new LatencySamples();
        begin(scene, fleet);
        for (int i = 0; i < changes; i++) {
            var versions = proxies.stream().map(proxy -> proxy.layer().version()).toList();
            var sent = change(scene);
            applied.add(sent.at(), scene.statuses.awaitApplied(sent, FanOutSetup.TIMEOUT));
            var latest = sent.at();
            for (int proxy = 0; proxy < proxies.size(); proxy++) {
                var layer = proxies.get(proxy).layer();
                if (layer.version().equals(versions.get(proxy))) {
                    throw new IllegalStateException("APPLIED is said, and a proxy has not got the share");
                }
                each.add(sent.at(), layer.at());
                latest = layer.at().isAfter(latest) ? layer.at() : latest;
            }
            last.add(sent.at(), latest);
            scene.goOn(Duration.ofMillis(300));
        }
        scene.release();
        System.out.println(LatencySamples.head(proxies.size() + " clients, producer.send to"));
        System.out.println(each.row("a client has the share"));
        System.out.println(last.row("the last client has the share"));
        System.out.println(applied.row("status APPLIED read"));
        reached &= applied.max() <= MAX_APPLIED_MILLIS;
    }

    private BenchLeasePublisher.Sent change(FanOutSetup scene) {
        ppm += STEP_PPM;
        return scene.leases.change(FanOutSetup.TESTED, ppm);
    }

    private void cost(FanOutSetup scene, int own) throws InterruptedException {
        try (var fleet = scene.fleet()) {
            var tested = fleet.add(own, scene.group(FanOutSetup.TESTED), FanOutSetup.TIMEOUT);
            var others = fleet.add(clients.getLast() - own, scene.group(FanOutSetup.OTHER), FanOutSetup.TIMEOUT);
            begin(scene, fleet);
            long othersBefore = messages(others);
            var before = scene.redirector.cpu();
            scene.goOn(WINDOW);
            var without = scene.redirector.cpu().minus(before);
            long ownBefore = messages(tested);
            long renewals = changed(scene);
            var with = scene.redirector.cpu().minus(before).minus(without);
            double perChange = with.minus(without).toNanos() / 1e6 / changes;
            long toOthers = messages(others) - othersBefore;
            System.out.printf(Locale.ROOT, "%22d  %17.2f  %16.1f  %19.1f  %18d%n", own, perChange,
                    without.toNanos() / 1e6 / WINDOW.toSeconds(),
                    (double) (messages(tested) - ownBefore - renewals * own) / changes, toOthers);
            reached &= toOthers == 0;
            scene.release();
        }
        scene.goOn(SETTLING);
    }

    /** Changes the share again and again for as long as the window is, and says how often leases were renewed. */
    private long changed(FanOutSetup scene) throws InterruptedException {
        var end = scene.clock.instant().plus(WINDOW);
        long before = scene.leases.sequence(FanOutSetup.TESTED);
        for (int i = 0; i < changes; i++) {
            scene.statuses.awaitApplied(change(scene), FanOutSetup.TIMEOUT);
            scene.goOn(Duration.between(scene.clock.instant(), end).dividedBy(changes - i));
        }
        return scene.leases.sequence(FanOutSetup.TESTED) - before - changes;
    }

    private static long messages(List<SimulatedProxy> proxies) {
        return proxies.stream().mapToLong(proxy -> proxy.total().messages()).sum();
    }
}
