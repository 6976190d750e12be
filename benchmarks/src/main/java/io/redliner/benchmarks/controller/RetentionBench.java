// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.scale.Broker;
import io.redliner.benchmarks.scale.JavaProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How fast a controller removes what was kept long enough of journals and windows: run by run, and by whole months. */
@Command(name = "retention", mixinStandardHelpOptions = true, description = "Rows that retention removes in a second.")
public final class RetentionBench implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private static final int ROWS_OF_A_RUN = 4_000;

    @Option(names = "--rows", description = "of the journal; a fourth as many windows; default: ${DEFAULT-VALUE}")
    private int rows = 400_000;

    @Option(names = "--live", description = "runs whose decisions it has to keep up with; default: ${DEFAULT-VALUE}, the cap of live runs that a controller has by itself")
    private int live = 50;

    private final InstantSource clock = Clock.systemUTC();

    /** Measures, prints a table, and fails when months do not keep up with the live runs' decisions. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new RetentionBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        try (var broker = JavaProcess.start(Broker.class, List.of("-Xmx512m")); var database = new Database()) {
            String bootstrapServers = broker.ready();
            try (var migrating = controller(bootstrapServers, database, "0")) {
                migrating.ready();
            }
            double byRun = removed(bootstrapServers, database, "59d");
            double byMonth = removed(bootstrapServers, database, "60d");
            // Some four decisions a second, and one window.
            double made = 5.0 * live;
            System.out.printf(Locale.ROOT, "rows/s: run by run %.0f, by months %.0f; %d live runs make %.0f%n", byRun,
                    byMonth,
                    live, made);
            return byMonth > made ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static JavaProcess controller(String bootstrapServers, Database database, String kept) throws IOException {
        return ControllerPart.start(ControllerPart.SMALL_JVM, 0, bootstrapServers, database.jdbcUrl(),
                List.of("redliner.controller.retention.every=1s", "redliner.controller.retention.run-details=" + kept));
    }

    private double removed(String bootstrapServers, Database database, String kept)
            throws IOException, InterruptedException, SQLException {
        fill(database);
        try (var controller = controller(bootstrapServers, database, kept)) {
            controller.ready();
            Instant begin = clock.instant();
            database.await("SELECT count(*) FROM run WHERE details <> 'Gone'", left -> left == 0, PATIENCE, clock);
            double seconds = Duration.between(begin, clock.instant()).toMillis() / 1e3;
            System.out.printf(Locale.ROOT, "kept for %s: %d rows in %.1f s%n", kept, rows + rows / 4, seconds);
            return (rows + rows / 4) / seconds;
        }
    }

    private void fill(Database database) throws SQLException {
        for (String table : List.of("journal", "judged_window")) {
            database.execute("DROP TABLE IF EXISTS " + table + "_old");
            database.execute("DO $$ BEGIN EXECUTE format('CREATE TABLE " + table + "_old PARTITION OF " + table
                    + " FOR VALUES FROM (%L) TO (%L)', month_of(now(), -5), month_of(now(), -4)); END $$");
        }
        database.execute("DELETE FROM run");
        database.execute(
                """
                        INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version, journal_sequence,
                            submitted_at, finished_at, farewell_at, peaks_at)
                        SELECT 'old-' || n, 'service-' || n, 'a:1', 'plan', 'hash', '{}', 'Finished', 1, '{}', 1, %1$d, at, at, at, at
                        FROM generate_series(1, %2$d) n, month_of(now(), -5) at"""
                        .formatted(ROWS_OF_A_RUN, rows / ROWS_OF_A_RUN));
        String text = "x".repeat(400);
        database.execute(
                """
                        INSERT INTO journal (run_id, sequence, at, phase, notable, event, decision)
                        SELECT run.id, n, submitted_at, 'Ramping', false, '{"kind": "Tick"}', jsonb_build_object('patch', '%2$s')
                        FROM run, generate_series(1, %1$d) n"""
                        .formatted(ROWS_OF_A_RUN, text));
        database.execute("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT run.id, n, submitted_at, 'Ramping', 'HOLDS', 1, jsonb_build_object('window', repeat('%2$s', 4))
                FROM run, generate_series(1, %1$d) n""".formatted(ROWS_OF_A_RUN / 4, text));
        database.execute("ANALYZE");
    }
}
