// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.figures.Delays;
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

/** How fast chart and report of a run of a day are answered, whose windows have 100 ms. */
@Command(name = "long-run", mixinStandardHelpOptions = true, description = "Answers about a run of a day.")
public final class LongRunBench implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The sums of a day are made after each other, not while it lasts. */
    private static final Duration PATIENCE_WITH_SUMS = Duration.ofMinutes(8);

    /** Windows whose sum is kept together, see WindowRollup. */
    private static final int WINDOWS_OF_A_SUM = 256;

    private static final double MOST_P99_MILLIS = 300;

    private static final String RUN = "long-run";

    @Option(names = "--windows", description = "of the run; default: ${DEFAULT-VALUE}, those of a day")
    private int windows = 864_000;

    @Option(names = "--answers", description = "of each kind; default: ${DEFAULT-VALUE}")
    private int answers = 200;

    @Option(names = "--warm-up", description = "answers of each kind before; default: ${DEFAULT-VALUE}")
    private int warmUp = 100;

    @Option(names = "--jvm", description = "options of the controller's JVM; default: ${DEFAULT-VALUE}, with the optimising compiler that the controller's image has, too")
    private List<String> options = List.of("-Xmx256m", "-XX:+UseSerialGC");

    private final InstantSource clock = Clock.systemUTC();

    /** Measures, prints a table, and fails when the p99 of an answer is above 300 ms. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LongRunBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        try (var broker = JavaProcess.start(Broker.class, List.of("-Xmx512m")); var database = new Database()) {
            String bootstrapServers = broker.ready();
            try (var controller = controller(bootstrapServers, database);
                    var rest = new Rest(controller.ready());
                    var world = new PlayedWorld(bootstrapServers, 1, 5, 0, clock)) {
                lengthen(database, world.finished(rest, PATIENCE));
            }
            try (var controller = controller(bootstrapServers, database);
                    var rest = new Rest(controller.ready())) {
                awaitSums(database);
                return measured(rest);
            }
        }
    }

    private JavaProcess controller(String bootstrapServers, Database database) throws IOException {
        return ControllerPart.start(options, 0, bootstrapServers, database.jdbcUrl(), List.of());
    }

    /** Makes a run of a day out of a short one: its windows again and again. */
    private void lengthen(Database database, String template) throws SQLException {
        Instant begin = clock.instant();
        database.execute(
                """
                        INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, outcome, stop_code, stop_reason, epoch,
                                         state, version, journal_sequence, submitted_at, finished_at, farewell_at, peaks_at, harm,
                                         first_state)
                        SELECT '%1$s', service, sut, plan_name, plan_hash, plan, phase, outcome, stop_code, stop_reason, epoch,
                               jsonb_set(state, '{facts,bounds,window}', '"PT0.1S"'), version, journal_sequence,
                               now() - %2$d * interval '100 ms', now(), now(), now(), harm, first_state
                        FROM run WHERE id = '%3$s'"""
                        .formatted(RUN, windows, template));
        database.execute(
                """
                        INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                        SELECT '%1$s', n, begin, phase, judgement, asked_ppm, content || jsonb_build_object('sequence', n,
                            'windowLength', 'PT0.1S',
                            'windowStart', to_char(begin AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                        FROM (SELECT *, row_number() OVER (ORDER BY sequence) AS number, count(*) OVER () AS count FROM judged_window
                            WHERE run_id = '%3$s') template,
                            generate_series(1, %2$d) n, LATERAL (SELECT now() - (%2$d + 1 - n) * interval '100 ms' AS begin) at
                        WHERE number = 1 + n %% count"""
                        .formatted(RUN, windows, template));
        database.execute("ANALYZE");
        System.out.printf(Locale.ROOT, "%d windows, %d MiB, made in %d s%n", windows,
                database.number("SELECT pg_database_size(current_database()) >> 20"),
                Duration.between(begin, clock.instant()).toSeconds());
    }

    private void awaitSums(Database database) throws IOException, SQLException {
        Instant begin = clock.instant();
        long sums = database.await("SELECT count(*) FROM window_rollup WHERE level = 0 AND run_id = '" + RUN + "'",
                found -> found >= windows / WINDOWS_OF_A_SUM - 1, PATIENCE_WITH_SUMS, clock);
        System.out.printf(Locale.ROOT, "%d sums, all at once in %d s%n", sums,
                Duration.between(begin, clock.instant()).toSeconds());
    }

    private int measured(Rest rest) throws IOException, InterruptedException {
        System.out.println(Delays.head("answer"));
        boolean reached = true;
        for (String path : List.of("/timeline", "/timeline?points=900", "/timeline?points=2000", "/report?format=json",
                "/report")) {
            Delays delays = Rest.delays(() -> rest.get("/api/v1/runs/" + RUN + path), warmUp, answers, clock);
            System.out.println(delays.row(path));
            reached &= delays.p99() <= MOST_P99_MILLIS;
        }
        System.out.println("target: p99 <= 300 ms of each: " + (reached ? "reached" : "missed"));
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
