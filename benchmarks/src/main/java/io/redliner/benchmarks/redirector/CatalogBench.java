// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.benchmarks.redirector.AdsStream.Xds;
import io.redliner.benchmarks.redirector.SimulatedProxy.Received;
import io.redliner.benchmarks.scale.Broker;
import io.redliner.benchmarks.scale.JavaProcess;
import io.redliner.contract.v1.Redirect;
import io.redliner.contract.v1.RedirectMode;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A large services file: from the start of the redirector's process to the first full answer at one simulated proxy, and
 * what a share change of one service costs that proxy. Nobody listens where its services and instances are said to be.
 */
@Command(name = "catalog", mixinStandardHelpOptions = true, description = "Start and share change with many services.")
public final class CatalogBench implements Callable<Integer> {

    private static final Duration TARGET = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final int FIRST_PORT = 20_000;

    private static final int CHANGED_PPM = 200_000;

    private static final int BYTE = 256;

    @Option(names = "--services", description = "default: ${DEFAULT-VALUE}")
    private int services = 1_000;

    @Option(names = "--instances", description = "of each service; default: ${DEFAULT-VALUE}")
    private int instances = 20;

    @Option(names = "--jvm", split = ",", description = "options of the redirector's JVM; default: ${DEFAULT-VALUE}")
    private List<String> options = List.of("-Xmx1g");

    @Option(names = "--rounds", description = "starts of the redirector for each kind of xDS; default: ${DEFAULT-VALUE}")
    private int rounds = 3;

    private final Clock clock = Clock.systemUTC();

    private boolean reached = true;

    /** Measures, prints tables, and fails when the first answer takes more than 5 s (median) or a change is not one resource. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new CatalogBench()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        var completed = new EnumMap<Xds, List<Double>>(Xds.class);
        for (int round = 0; round < rounds; round++) {
            for (var xds : Xds.values()) {
                var folder = TemporaryFolder.create("catalog");
                try (var broker = JavaProcess.start(Broker.class, List.of("-Xmx1g"))) {
                    completed.computeIfAbsent(xds, first -> new ArrayList<>())
                            .add(measure(xds, broker.ready(), folder));
                } finally {
                    TemporaryFolder.delete(folder);
                }
            }
        }
        completed.forEach((xds, seconds) -> {
            double median = seconds.stream().sorted().toList().get(seconds.size() / 2);
            System.out.printf(Locale.ROOT, "%s: first full answer after %.2f s (median of %d)%n", xds, median,
                    seconds.size());
            reached &= median <= TARGET.toMillis() / 1e3;
        });
        System.out.println("targets: first full answer <= 5 s, a share change is one resource: "
                + (reached ? "reached" : "missed"));
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private double measure(Xds xds, String bootstrapServers, Path folder) throws Exception {
        var file = file(folder);
        int port = FreePort.next();
        try (var statuses = new LeaseStatuses(bootstrapServers, clock);
                var leases = new LeaseWriter(bootstrapServers, clock)) {
            var begin = clock.instant();
            try (var redirector = RedirectorPart.start(options, bootstrapServers, file, port)) {
                var started = CompletableFuture.supplyAsync(() -> ready(redirector));
                var accepted = accepted(port, begin);
                try (var fleet = new SimulatedFleet(port, xds, 1, clock)) {
                    var proxy = fleet.add(1, "redliner", PATIENCE).getFirst();
                    var complete = proxy.awaitComplete(clock.instant());
                    System.out.printf(Locale.ROOT, "%s, %d services x %d instances, from the start of the process:%n"
                            + "  port accepts after %.2f s, application ready after %.2f s, first full answer after "
                            + "%.2f s%n", xds, services, instances, seconds(begin, accepted),
                            seconds(begin, started.join()), seconds(begin, complete));
                    System.out.println("  received                      messages  resources       bytes");
                    print("everything, at the start", Map.of(), proxy.received());
                    change(proxy, leases, statuses);
                    return seconds(begin, complete);
                }
            }
        }
    }

    private void change(SimulatedProxy proxy, LeaseWriter leases, LeaseStatuses statuses)
            throws InterruptedException {
        var before = proxy.received();
        var redirect = Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_SPLIT).build();
        int tested = services / 2;
        var sent = leases.begin(name(tested), address(tested, 0), redirect, CHANGED_PPM / 2);
        leases.renewing(false);
        statuses.awaitApplied(sent, PATIENCE);
        quiet();
        var laidOut = proxy.received();
        print("layout of a lease and share", before, laidOut);
        statuses.awaitApplied(leases.change(name(tested), CHANGED_PPM), PATIENCE);
        quiet();
        var after = proxy.received();
        print("another share", laidOut, after);
        reached &= sum(laidOut, after).resources() == 1 && of(after, laidOut, XdsKind.RUNTIME).resources() == 1;
    }

    /** Long enough for what might still come, and shorter than a lease. */
    private void quiet() {
        var until = clock.instant().plus(QUIET);
        while (clock.instant().isBefore(until)) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static void print(String what, Map<XdsKind, Received> before, Map<XdsKind, Received> after) {
        row(what, sum(before, after));
        for (var kind : XdsKind.values()) {
            var own = of(after, before, kind);
            if (own.messages() > 0) {
                row("  " + kind.name().toLowerCase(Locale.ROOT), own);
            }
        }
    }

    private static void row(String what, Received received) {
        System.out.printf(Locale.ROOT, "  %-28s  %8d  %9d  %10d%n", what, received.messages(), received.resources(),
                received.bytes());
    }

    private static Received of(Map<XdsKind, Received> after, Map<XdsKind, Received> before, XdsKind kind) {
        return after.getOrDefault(kind, Received.NOTHING).minus(before.getOrDefault(kind, Received.NOTHING));
    }

    private static Received sum(Map<XdsKind, Received> before, Map<XdsKind, Received> after) {
        var sum = Received.NOTHING;
        for (var kind : XdsKind.values()) {
            sum = sum.plus(of(after, before, kind));
        }
        return sum;
    }

    private Instant ready(JavaProcess redirector) {
        try {
            redirector.ready();
            return clock.instant();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Instant accepted(int port, Instant begin) {
        while (clock.instant().isBefore(begin.plus(PATIENCE))) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return clock.instant();
                }
            } catch (IOException tooSoon) {
                LockSupport.parkNanos(2_000_000);
            }
        }
        throw new IllegalStateException("The redirector does not listen after " + PATIENCE);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1e3;
    }

    private static String name(int service) {
        return "service-" + service;
    }

    private static String address(int service, int instance) {
        return "10." + service / BYTE + "." + service % BYTE + "." + (instance + 1) + ":8080";
    }

    private Path file(Path folder) throws IOException {
        var text = new ServicesText();
        for (int i = 0; i < services; i++) {
            int service = i;
            text.add(name(i), "", "127.0.0.1:" + (FIRST_PORT + i),
                    IntStream.range(0, instances).mapToObj(instance -> address(service, instance)).toList());
        }
        return text.write(folder);
    }
}
