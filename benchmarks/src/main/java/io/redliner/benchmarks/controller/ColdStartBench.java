// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.figures.ProcessFigures;
import io.redliner.benchmarks.scale.Broker;
import io.redliner.benchmarks.scale.JavaProcess;
import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * From the start of a controller's process until it says over HTTP that it is ready, and that it is well (which means that
 * it reads Kafka), on a database that is migrated and holds many plans with schedules.
 */
@Command(name = "cold-start", mixinStandardHelpOptions = true, description = "Process started to ready.")
public final class ColdStartBench implements Callable<Integer> {

    private static final Duration MOST = Duration.ofSeconds(8);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int OK = 200;

    @Option(names = "--plans", description = "with schedules; default: ${DEFAULT-VALUE}")
    private int plans = 10_000;

    @Option(names = "--starts", description = "default: ${DEFAULT-VALUE}")
    private int starts = 5;

    @Option(names = "--jvm", description = "options of the controller's JVM; default: ${DEFAULT-VALUE}")
    private List<String> options = ControllerPart.SMALL_JVM;

    @Option(names = "--setting", description = "of the controller, name=value")
    private List<String> settings = List.of();

    @Option(names = "--steps", description = "the last start says what it spent its time on")
    private boolean steps;

    private final InstantSource clock = Clock.systemUTC();

    private record Start(Duration ready, Duration well, Duration cpu) {}

    /** Measures, prints a table, and fails when the median until ready is above 8 s. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ColdStartBench()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        try (var broker = JavaProcess.start(Broker.class, List.of("-Xmx512m")); var database = new Database()) {
            String bootstrapServers = broker.ready();
            try (var controller = ControllerPart.start(options, 0, bootstrapServers, database.jdbcUrl(), settings);
                    var rest = new Rest(controller.ready())) {
                fill(rest, bootstrapServers, database);
            }
            var measured = new ArrayList<Start>();
            System.out.printf(Locale.ROOT, "%d plans, %s %s%n", database.number("SELECT count(*) FROM plan"), options,
                    settings);
            System.out.println("start  ready s  well s  CPU s");
            for (int i = 1; i <= starts; i++) {
                var with = new ArrayList<>(options);
                if (steps && i == starts) {
                    with.add("-D" + ControllerPart.TELL_STEPS + "=true");
                }
                var start = start(with, bootstrapServers, database);
                measured.add(start);
                System.out.printf(Locale.ROOT, "%5d  %7.2f  %6.2f  %5.2f%n", i, seconds(start.ready),
                        seconds(start.well), seconds(start.cpu));
            }
            return judged(measured.stream().map(Start::ready).sorted().toList());
        }
    }

    private static int judged(List<Duration> sorted) {
        var median = sorted.get(sorted.size() / 2);
        boolean reached = median.compareTo(MOST) <= 0;
        System.out.printf(Locale.ROOT, "median %.2f s; target: <= 8 s: %s%n", seconds(median),
                reached ? "reached" : "missed");
        return reached ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    /** One plan comes in as from a user, the others are its copies. */
    private void fill(Rest rest, String bootstrapServers, Database database)
            throws IOException, InterruptedException, SQLException {
        String plan = new PlayedService(0, 1, 0).plan() + "  schedule: {cron: \"0 9 1 1 *\", zone: UTC, jitter: 10m}\n";
        try (var world = new PlayedWorld(bootstrapServers, 1, 1, 0, clock)) {
            world.sleepUntil(clock.instant().plusSeconds(2));
            var answer = rest.post("/api/v1/plans", plan);
            if (answer.statusCode() != 201) {
                throw new IOException("The plan was refused: " + answer.body());
            }
        }
        database.execute("""
                INSERT INTO plan SELECT name || '-' || n, current_version, created_at, updated_at, source, source_file
                FROM plan, generate_series(1, %d) n""".formatted(plans - 1));
        database.execute("""
                INSERT INTO plan_version SELECT plan_name || '-' || n, version, content, hash, created_at
                FROM plan_version, generate_series(1, %d) n""".formatted(plans - 1));
        database.execute(
                """
                        INSERT INTO plan_schedule (plan_name, plan_version, service, on_deployment, timing, anchor_at, calendars)
                        SELECT plan_name || '-' || n, plan_version, service || '-' || n, on_deployment, timing, anchor_at, calendars
                        FROM plan_schedule, generate_series(1, %d) n"""
                        .formatted(plans - 1));
        database.execute("""
                INSERT INTO scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version)
                SELECT task_name, id::text, task_data, execution_time + id * interval '1 s', false, 1
                FROM (SELECT * FROM scheduled_tasks WHERE task_name = 'plan' LIMIT 1) task, plan_schedule
                ON CONFLICT DO NOTHING""");
        database.execute("ANALYZE");
    }

    private Start start(List<String> with, String bootstrapServers, Database database)
            throws IOException, InterruptedException {
        int port = FreePort.next();
        var begin = clock.instant();
        try (var controller = ControllerPart.start(with, port, bootstrapServers, database.jdbcUrl(), settings);
                var rest = new Rest(Integer.toString(port))) {
            var ready = answers(rest, "/actuator/health/readiness", begin);
            var well = answers(rest, "/actuator/health", begin);
            var cpu = new ProcessFigures(controller.handle()).cpu();
            controller.ready();
            return new Start(ready, well, cpu);
        }
    }

    private Duration answers(Rest rest, String path, Instant begin) throws IOException {
        while (clock.instant().isBefore(begin.plus(PATIENCE))) {
            if (rest.got(path) == OK) {
                return Duration.between(begin, clock.instant());
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new IOException("Not within " + PATIENCE.toSeconds() + " s: " + path);
    }
}
