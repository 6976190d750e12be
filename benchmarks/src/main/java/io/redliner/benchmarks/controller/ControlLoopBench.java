// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.process.BrokerProcess;
import io.redliner.benchmarks.process.JavaProcess;
import io.redliner.benchmarks.process.ProcessUsage;
import io.redliner.benchmarks.stats.LatencySamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * From a verdict that asks for another share to the lease with that share, with many live runs on one controller: a real
 * broker, a real PostgreSQL, the controller in a process of its own; redirector and analyzer are played. What is judged
 * is the whole way, from just before {@code producer.send} of the verdict until the lease is read by a consumer: that is
 * what the controller adds to the loop, Kafka's way to it and from it included.
 */
@Command(name = "control-loop", mixinStandardHelpOptions = true, description = "Verdict sent to lease read.")
public final class ControlLoopBench implements Callable<Integer> {

    private static final double MAX_P99_MILLIS = 50;

    private static final double MAX_RESIDENT_MIB = 512;

    private static final String PARTS = """
            SELECT 'entry''s event', avg(pg_column_size(event))::bigint FROM journal
            UNION ALL SELECT 'entry''s decision', avg(pg_column_size(decision))::bigint FROM journal
            UNION ALL SELECT 'whole row', avg(pg_column_size(journal.*))::bigint FROM journal
            UNION ALL SELECT 'window', avg(pg_column_size(judged_window.*))::bigint FROM judged_window
            UNION ALL SELECT 'windows', count(*) FROM judged_window
            UNION ALL SELECT 'entries', count(*) FROM journal
            UNION ALL SELECT 'tables, bytes', sum(pg_relation_size(oid))::bigint FROM pg_class
                WHERE relkind = 'r' AND relname ~ '^(journal|judged_window)(_|$)'
            UNION ALL SELECT 'indexes, bytes', sum(pg_indexes_size(oid))::bigint FROM pg_class
                WHERE relkind = 'r' AND relname ~ '^(journal|judged_window)(_|$)'""";

    /** Of all partitions. */
    private static final String BYTES = """
            SELECT sum(pg_total_relation_size(oid)) FROM pg_class
            WHERE relkind = 'r' AND relname ~ '^(journal|judged_window)(_|$)'""";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    @Option(names = "--runs", split = ",", description = "live at once; default: ${DEFAULT-VALUE}")
    private List<Integer> runs = List.of(10, 100, 1_000);

    @Option(names = "--spread", description = "ms over which the verdicts on a window come; default: ${DEFAULT-VALUE}, all at once")
    private int spreadMillis = 0;

    @Option(names = "--every", description = "windows after which a search asks for another share; default: ${DEFAULT-VALUE}")
    private int every = 5;

    @Option(names = "--warm-up", description = "seconds; default: ${DEFAULT-VALUE}")
    private int warmUp = 30;

    @Option(names = "--seconds", description = "of measuring; default: ${DEFAULT-VALUE}")
    private int seconds = 30;

    @Option(names = "--jvm", description = "options of the controller's JVM; default: ${DEFAULT-VALUE}")
    private List<String> options = ControllerProcess.SMALL_JVM;

    @Option(names = "--setting", description = "of the controller, name=value")
    private List<String> settings = List.of();

    @Option(names = "--no-commit-wait", description = "PostgreSQL does not wait for its disk: what is left is what the work itself takes")
    private boolean noCommitWait;

    private final InstantSource clock = Clock.systemUTC();

    private boolean reached = true;

    /** Measures, prints a table, and fails when the last row misses p99 <= 50 ms, loses a run, or takes more than 512 MiB. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ControlLoopBench()).execute(arguments));
    }

    private record Load(Instant at, Duration controller, Duration broker, Duration database, long decisions,
            long transactions, long logBytes, String machine) {}

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        System.out.printf(Locale.ROOT, "spread %d ms, another share every %d windows, %s %s%s%n", spreadMillis, every,
                options, settings, noCommitWait ? ", commits do not wait for the disk" : "");
        for (int count : runs) {
            measure(count);
        }
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void measure(int count) throws IOException, InterruptedException, SQLException {
        try (var broker = JavaProcess.start(BrokerProcess.class, List.of("-Xmx512m"));
                var database = new BenchDatabase()) {
            String bootstrapServers = broker.ready();
            if (noCommitWait) {
                database.execute("ALTER DATABASE postgres SET synchronous_commit = off");
            }
            try (var controller = ControllerProcess.start(options, 0, bootstrapServers, database.jdbcUrl(), settings);
                    var rest = new BenchApiClient(controller.ready());
                    var world = new SimulatedEnvironment(bootstrapServers, count, every, spreadMillis, clock)) {
                var begin = clock.instant();
                int started = world.start(rest, START_TIMEOUT);
                var startedAt = clock.instant();
                world.sleepUntil(startedAt.plusSeconds(warmUp));
                long liveBefore = world.live();
                var before = load(controller, broker, database);
                world.measure();
                world.sleepUntil(before.at.plusSeconds(seconds));
                var after = load(controller, broker, database);
                long waiting = world.unanswered(Duration.ofSeconds(2));
                System.out.printf(Locale.ROOT,
                        "%n%d runs: %d started in %.1f s, %d live when measuring began, %d when it ended; %d ended,"
                                + " %d leases ran out, %d verdicts without a lease for 2 s, %s late verdicts skipped%n",
                        count, started, Duration.between(begin, startedAt).toMillis() / 1e3, liveBefore, world.live(),
                        world.ended(), world.lapsed(), waiting, skipped(rest));
                print(ended(database), before, after);
                System.out.println("  decisions so far, by event: " + database.numbers(
                        "SELECT event ->> 'kind', count(*) FROM journal GROUP BY 1"));
                System.out.printf(Locale.ROOT,
                        "  bytes that are kept of a decision, windows and indexes included: %d%n",
                        database.number(BYTES) / Math.max(1, database.number("SELECT count(*) FROM journal")));
                System.out.println("  of that: " + database.numbers(PARTS));
                boolean small = memory(new ProcessUsage(controller.handle()));
                // Its runs are played: nobody's traffic has to be restored.
                controller.handle().destroyForcibly();
                world.close();
                judge(world.delays(), world.ended() + world.lapsed() + waiting + count - started == 0 && small);
            }
        }
    }

    private Load load(JavaProcess controller, JavaProcess broker, BenchDatabase database)
            throws IOException, SQLException {
        return new Load(clock.instant(), new ProcessUsage(controller.handle()).cpu(),
                new ProcessUsage(broker.handle()).cpu(), database.cpu(),
                database.number("SELECT coalesce(sum(journal_sequence), 0) FROM run"), database.transactions(),
                database.number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"),
                Files.readString(Path.of("/proc/loadavg")).strip());
    }

    private static Map<String, Long> ended(BenchDatabase database) throws SQLException {
        return database.numbers("""
                SELECT coalesce(outcome, state #>> '{ending,outcome}') || ' ' || coalesce(stop_code, '') || ' '
                       || coalesce(left(stop_reason, 60), ''), count(*)
                FROM run WHERE phase IN ('Restoring', 'Finished') GROUP BY 1""");
    }

    private static void print(Map<String, Long> ended, Load before, Load after) {
        ended.forEach((why, number) -> System.out.printf(Locale.ROOT, "  ended: %d x %s%n", number, why));
        double time = Duration.between(before.at, after.at).toNanos() / 1e9;
        double decisions = Math.max(1, after.decisions - before.decisions);
        System.out.printf(Locale.ROOT,
                "  %.0f decisions/s, %.0f transactions/s, %.1f MB/s of PostgreSQL's log; cores: controller %.2f, PostgreSQL %.2f,"
                        + " broker %.2f; ms of CPU per decision: controller %.2f, PostgreSQL %.2f; load of the machine: %s%n",
                (after.decisions - before.decisions) / time, (after.transactions - before.transactions) / time,
                (after.logBytes - before.logBytes) / 1e6 / time,
                after.controller.minus(before.controller).toNanos() / 1e9 / time,
                after.database.minus(before.database).toNanos() / 1e9 / time,
                after.broker.minus(before.broker).toNanos() / 1e9 / time,
                after.controller.minus(before.controller).toNanos() / 1e6 / decisions,
                after.database.minus(before.database).toNanos() / 1e6 / decisions, after.machine);
    }

    private static String skipped(BenchApiClient rest) throws IOException, InterruptedException {
        return rest.get("/actuator/prometheus").body().lines()
                .filter(line -> line.startsWith("redliner_controller_skipped_total"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1)).findFirst().orElse("0");
    }

    private static boolean memory(ProcessUsage controller) throws IOException, InterruptedException {
        double resident = controller.residentKib() / 1_024.0;
        double most = controller.mostResidentKib() / 1_024.0;
        System.out.printf(Locale.ROOT, "  controller: resident %.0f MiB, at most %.0f MiB; heap after a collection %.0f"
                + " MiB%n", resident, most, controller.heapAfterCollectionKib() / 1_024.0);
        return most <= MAX_RESIDENT_MIB;
    }

    private void judge(ControlLoopDelays delays, boolean sound) {
        var rows = new ArrayList<String>();
        rows.add(LatencySamples.head("  from a verdict's producer.send to"));
        rows.add(delays.kafka.row("  Kafka's own way: read back"));
        rows.add(delays.sent.row("  the lease's record made (whole ms)"));
        rows.add(delays.read.row("  the lease read"));
        rows.add(delays.read.ratio(delays.kafka));
        rows.forEach(System.out::println);
        boolean soon = delays.read.count() > 0 && delays.read.p99() <= MAX_P99_MILLIS;
        System.out.printf(Locale.ROOT, "  %d leases; the least time left of one when the next was read: %d ms%n",
                delays.leases, delays.leastLeft.toMillis());
        System.out
                .println("  target: p99 <= 50 ms, no run ended, <= 512 MiB: " + (soon && sound ? "reached" : "missed"));
        reached = soon && sound;
    }
}
